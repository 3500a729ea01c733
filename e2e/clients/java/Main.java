package mxrest.e2e;

import java.io.File;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.OffsetDateTime;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import mxrest.client.ApiException;
import mxrest.client.ApiResponse;
import mxrest.client.api.DecodeApi;
import mxrest.client.api.EncodeApi;
import mxrest.client.model.*;

/** openapi-generator's Java clients: what every client of this folder does, printed as run.py compares it. */
public class Main {
  static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

  static void print(Object... parts) {
    StringBuilder line = new StringBuilder();
    for (Object p : parts) {
      line.append(line.length() == 0 ? "" : " ").append(p);
    }
    OUT.println(line);
  }

  static String hex(File f) throws Exception {
    return HexFormat.of().formatHex(Files.readAllBytes(f.toPath()));
  }

  static Handle handle() {
    return new Handle().galaxyId(1).platformId(1).engineId(2).objectId(5)._object("TestChildObject")
        .primitiveId(2).attributeId(155).propertyId(10).attribute("TestInt");
  }

  static Int32Write int32(int value) {
    return new Int32Write().type(Int32Write.TypeEnum.INT32).value(value);
  }

  static Write item(String id, int value, boolean both) {
    Int32Write w = int32(value).id(id).handleBytes("010001000200050036d702009b000a003eda0000");
    return new Write(both ? w.handle(handle()) : w);
  }

  static Map<String, Write> writes() {
    OffsetDateTime at = OffsetDateTime.parse("2024-01-01T00:00:00.123Z");
    Handle h = handle();
    Map<String, Write> w = new LinkedHashMap<>();
    w.put("Boolean", new Write(new BooleanWrite().handle(h).type(BooleanWrite.TypeEnum.BOOLEAN).value(true)));
    w.put("Int32", new Write(int32(-5).handle(h)));
    w.put("Float32", new Write(new Float32Write().handle(h).type(Float32Write.TypeEnum.FLOAT32)
        .value(new Float32WriteValue(0.1f))));
    w.put("Float64", new Write(new Float64Write().handle(h).type(Float64Write.TypeEnum.FLOAT64)
        .value(new Float64WriteValue(0.1d))));
    w.put("Float64.NaN", new Write(new Float64Write().handle(h).type(Float64Write.TypeEnum.FLOAT64)
        .value(new Float64WriteValue(NonFinite.NotANumber))));
    w.put("String", new Write(new StringWrite().handle(h).type(StringWrite.TypeEnum.STRING).value("Grüße 😀")));
    w.put("DateTime", new Write(new DateTimeWrite().handle(h).type(DateTimeWrite.TypeEnum.DATE_TIME).value(at)));
    w.put("ElapsedTime", new Write(new ElapsedTimeWrite().handle(h).type(ElapsedTimeWrite.TypeEnum.ELAPSED_TIME).value(1500)));
    w.put("InternationalizedString", new Write(new InternationalizedStringWrite().handle(h)
        .type(InternationalizedStringWrite.TypeEnum.INTERNATIONALIZED_STRING).value("Hallo")));
    w.put("BooleanArray", new Write(new BooleanArrayWrite().handle(h)
        .type(BooleanArrayWrite.TypeEnum.BOOLEAN_ARRAY).value(List.of(true, false))));
    w.put("Int32Array", new Write(new Int32ArrayWrite().handle(h)
        .type(Int32ArrayWrite.TypeEnum.INT32_ARRAY).value(List.of(1, -2, 3))));
    w.put("Float32Array", new Write(new Float32ArrayWrite().handle(h).type(Float32ArrayWrite.TypeEnum.FLOAT32_ARRAY)
        .value(List.of(new Float32WriteValue(1.5f), new Float32WriteValue(NonFinite.NotANumber)))));
    w.put("Float64Array", new Write(new Float64ArrayWrite().handle(h).type(Float64ArrayWrite.TypeEnum.FLOAT64_ARRAY)
        .value(List.of(new Float64WriteValue(0.1d), new Float64WriteValue(NonFinite.NegativeInfinity)))));
    w.put("StringArray", new Write(new StringArrayWrite().handle(h)
        .type(StringArrayWrite.TypeEnum.STRING_ARRAY).value(List.of("one", "", "drei"))));
    w.put("DateTimeArray", new Write(new DateTimeArrayWrite().handle(h).type(DateTimeArrayWrite.TypeEnum.DATE_TIME_ARRAY)
        .value(List.of(OffsetDateTime.parse("2024-01-01T00:00:00Z"), OffsetDateTime.parse("1601-01-01T00:00:00Z")))));
    w.put("timestamped", new Write(int32(7).handle(h).timestamp(at).clientToken(4294967295L).writeIndex(-1)));
    return w;
  }

  public static void main(String[] args) throws Exception {
    EncodeApi encode = new EncodeApi(Client.connect(args[0], System.getenv("MXREST_KEY")));
    DecodeApi decode = new DecodeApi(Client.connect(args[0], System.getenv("MXREST_KEY")));

    for (Map.Entry<String, Write> w : writes().entrySet()) {
      print("write." + w.getKey(), hex(encode.encodeWrite(w.getValue())));
    }
    print("batch", hex(encode.encodeBatch(List.of(item("a", 1, false), item("b", 2, false), item("c", 3, false)))));

    ApiResponse<BatchResults> answer =
        encode.encodeBatchResultsWithHttpInfo(List.of(item("a", 1, false), item("b", 2, true), item("c", 3, false)));
    BatchResults rs = answer.getData();
    BatchResult bad = rs.getResults().get(1);
    print("results", answer.getStatusCode(), rs.getCount(), rs.getSucceeded(), rs.getFailed(),
        rs.getResults().get(0).getBase64(), bad.getStatus(), bad.getErrors().get(0).getPointer(), bad.getId(),
        rs.getResults().get(2).getBase64());

    WriteExplanation e = encode.explainWrite(new Write(int32(305419896).handle(handle())));
    print("explain", e.getMessage(), e.getLength(), e.getHex(), e.getSignatures().getObject().getHex(),
        e.getFields().size(), e.getFields().get(0).getStanding());

    Decoded d = decode.decodeText(new TextInput().hex(e.getHex()).attribute("TestInt"));
    print("decode", d.getMessage(), d.getExact(), d.getWrite().getInt32Write().getValue(),
        d.getNames().getAttribute().getMatches());

    if (Client.SENDS_OCTETS) {
      File body = File.createTempFile("body", ".bin");
      Files.write(body.toPath(), HexFormat.of().parseHex(e.getHex()));
      Decoded octets = decode.decode(body, null, null);
      print("decode.octets", octets.getMessage(), octets.getExact());
    }

    try {
      encode.encodeWrite(new Write(int32(1)));
    } catch (ApiException failed) {
      Problem p = Client.problem(failed.getResponseBody());
      print("error", failed.getCode(), p.getStatus(), p.getType().replace("urn:mxrest:problem:", ""),
          p.getErrors().get(0).getPointer());
    }
    System.exit(0); // okhttp's threads would keep the process for a minute
  }
}
