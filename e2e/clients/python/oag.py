"""openapi-generator's Python client: what every client of this folder does, printed as run.py compares it."""

import datetime
import os
import sys

import mxrest_oag as m

api = m.ApiClient(m.Configuration(host=sys.argv[1]))
api.set_default_header("Authorization", "Bearer " + os.environ["MXREST_KEY"])
encode, decode = m.EncodeApi(api), m.DecodeApi(api)
utc = datetime.timezone.utc
handle = m.Handle(
    galaxyId=1, platformId=1, engineId=2, objectId=5, object="TestChildObject",
    primitiveId=2, attributeId=155, propertyId=10, attribute="TestInt",
)  # fmt: skip
at = datetime.datetime(2024, 1, 1, 0, 0, 0, 123000, utc)


def write(name, **more):
    """One of the fourteen models by its type's name, in the union the operations take."""
    return m.Write(getattr(m, name + "Write")(type=name, **more))


def f32(v):
    return m.Float32WriteValue(v)


def f64(v):
    return m.Float64WriteValue(v)


writes = {
    "Boolean": write("Boolean", handle=handle, value=True),
    "Int32": write("Int32", handle=handle, value=-5),
    "Float32": write("Float32", handle=handle, value=f32(0.1)),
    "Float64": write("Float64", handle=handle, value=f64(0.1)),
    "Float64.NaN": write("Float64", handle=handle, value=f64(m.NonFinite.NotANumber)),
    "String": write("String", handle=handle, value="Grüße 😀"),
    "DateTime": write("DateTime", handle=handle, value=at),
    "ElapsedTime": write("ElapsedTime", handle=handle, value=1500),
    "InternationalizedString": write("InternationalizedString", handle=handle, value="Hallo"),
    "BooleanArray": write("BooleanArray", handle=handle, value=[True, False]),
    "Int32Array": write("Int32Array", handle=handle, value=[1, -2, 3]),
    "Float32Array": write("Float32Array", handle=handle, value=[f32(1.5), f32(m.NonFinite.NotANumber)]),
    "Float64Array": write("Float64Array", handle=handle, value=[f64(0.1), f64(m.NonFinite.NegativeInfinity)]),
    "StringArray": write("StringArray", handle=handle, value=["one", "", "drei"]),
    "DateTimeArray": write(
        "DateTimeArray",
        handle=handle,
        value=[datetime.datetime(2024, 1, 1, tzinfo=utc), datetime.datetime(1601, 1, 1, tzinfo=utc)],
    ),
    "timestamped": write("Int32", handle=handle, value=7, timestamp=at, clientToken=4294967295, writeIndex=-1),
}
for name, body in writes.items():
    print(f"write.{name}", bytes(encode.encode_write(body)).hex())


def item(id_, value, both=False):
    return write(
        "Int32",
        id=id_,
        value=value,
        handleBytes="010001000200050036d702009b000a003eda0000",
        handle=handle if both else None,
    )


print("batch", bytes(encode.encode_batch([item("a", 1), item("b", 2), item("c", 3)])).hex())

answer = encode.encode_batch_results_with_http_info([item("a", 1), item("b", 2, True), item("c", 3)])
rs = answer.data
print("results", answer.status_code, rs.count, rs.succeeded, rs.failed, rs.results[0].var_base64,
      rs.results[1].status, rs.results[1].errors[0].pointer, rs.results[1].id, rs.results[2].var_base64)  # fmt: skip

e = encode.explain_write(write("Int32", handle=handle, value=305419896))
print("explain", e.message.value, e.length, e.hex, e.signatures.object.hex, len(e.fields), e.fields[0].standing.value)

d = decode.decode_text(m.TextInput(hex=e.hex, attribute="TestInt"))
print("decode", d.message.value, str(d.exact).lower(), d.write.actual_instance.value,
      str(d.names.attribute.matches).lower())  # fmt: skip

octets = decode.decode(bytes.fromhex(e.hex))
print("decode.octets", octets.message.value, str(octets.exact).lower())

try:
    encode.encode_write(write("Int32", value=1))
except m.ApiException as failed:
    pr = failed.data
    print("error", failed.status, pr.status, pr.type.removeprefix("urn:mxrest:problem:"), pr.errors[0].pointer)
