// openapi-generator's typescript-fetch: what every client of this folder does, printed as run.py compares it.
import { Configuration, DecodeApi, EncodeApi, NonFinite, ResponseError } from "./oag/index.js";
import type { Handle, Write } from "./oag/index.js";

const config = new Configuration({
  basePath: process.argv[2],
  headers: { Authorization: `Bearer ${process.env.MXREST_KEY}` },
});
const encode = new EncodeApi(config);
const decode = new DecodeApi(config);
const hex = async (b: Blob) => Buffer.from(await b.arrayBuffer()).toString("hex");
const print = (...parts: unknown[]) => console.log(parts.join(" "));

const handle: Handle = {
  galaxyId: 1, platformId: 1, engineId: 2, objectId: 5, object: "TestChildObject",
  primitiveId: 2, attributeId: 155, propertyId: 10, attribute: "TestInt",
};
const at = new Date("2024-01-01T00:00:00.123Z");

const writes: Record<string, Write> = {
  Boolean: { handle, type: "Boolean", value: true },
  Int32: { handle, type: "Int32", value: -5 },
  Float32: { handle, type: "Float32", value: 0.1 },
  Float64: { handle, type: "Float64", value: 0.1 },
  "Float64.NaN": { handle, type: "Float64", value: NonFinite.NotANumber },
  String: { handle, type: "String", value: "Grüße 😀" },
  DateTime: { handle, type: "DateTime", value: at },
  ElapsedTime: { handle, type: "ElapsedTime", value: 1500 },
  InternationalizedString: { handle, type: "InternationalizedString", value: "Hallo" },
  BooleanArray: { handle, type: "BooleanArray", value: [true, false] },
  Int32Array: { handle, type: "Int32Array", value: [1, -2, 3] },
  Float32Array: { handle, type: "Float32Array", value: [1.5, NonFinite.NotANumber] },
  Float64Array: { handle, type: "Float64Array", value: [0.1, NonFinite.NegativeInfinity] },
  StringArray: { handle, type: "StringArray", value: ["one", "", "drei"] },
  DateTimeArray: { handle, type: "DateTimeArray", value: [new Date("2024-01-01T00:00:00Z"), new Date("1601-01-01T00:00:00Z")] },
  timestamped: { handle, type: "Int32", value: 7, timestamp: at, clientToken: 4294967295, writeIndex: -1 },
};
for (const [name, write] of Object.entries(writes)) {
  print(`write.${name}`, await hex(await encode.encodeWrite({ write })));
}

const item = (id: string, value: number, both = false): Write => ({
  id, type: "Int32", value, handleBytes: "010001000200050036d702009b000a003eda0000", ...(both ? { handle } : {}),
});
print("batch", await hex(await encode.encodeBatch({ write: [item("a", 1), item("b", 2), item("c", 3)] })));

const raw = await encode.encodeBatchResultsRaw({ write: [item("a", 1), item("b", 2, true), item("c", 3)] });
const rs = await raw.value();
print("results", raw.raw.status, rs.count, rs.succeeded, rs.failed, rs.results[0].base64,
  rs.results[1].status, rs.results[1].errors![0].pointer, rs.results[1].id, rs.results[2].base64);

const e = await encode.explainWrite({ write: { handle, type: "Int32", value: 305419896 } });
print("explain", e.message, e.length, e.hex, e.signatures.object.hex, e.fields.length, e.fields[0].standing);

const d = await decode.decodeText({ textInput: { hex: e.hex, attribute: "TestInt" } });
print("decode", d.message, d.exact, d.write!.value, d.names!.attribute!.matches);

const octets = await decode.decode({ body: new Blob([Buffer.from(e.hex, "hex")]) });
print("decode.octets", octets.message, octets.exact);

try {
  await encode.encodeWrite({ write: { type: "Int32", value: 1 } });
} catch (err) {
  if (!(err instanceof ResponseError)) throw err;
  const pr = await err.response.json(); // this generator does not type errors
  print("error", err.response.status, pr.status, pr.type.replace("urn:mxrest:problem:", ""), pr.errors[0].pointer);
}
