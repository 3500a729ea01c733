"""openapi-python-client: what every client of this folder does, printed as run.py compares it."""

import datetime
import io
import os
import sys

from mxrest_client import AuthenticatedClient
from mxrest_client import models as m
from mxrest_client.api.decode import decode, decode_text
from mxrest_client.api.encode import encode_batch, encode_batch_results, encode_write, explain_write
from mxrest_client.types import UNSET, File

client = AuthenticatedClient(base_url=sys.argv[1], token=os.environ["MXREST_KEY"])
utc = datetime.timezone.utc
handle = m.Handle(
    galaxy_id=1, platform_id=1, engine_id=2, object_id=5, object_="TestChildObject",
    primitive_id=2, attribute_id=155, property_id=10, attribute="TestInt",
)  # fmt: skip
at = datetime.datetime(2024, 1, 1, 0, 0, 0, 123000, utc)


def write(name, **more):
    """One of the fourteen models by its type's name; type_ is an enum of one member."""
    model = getattr(m, name + "Write")
    return model(type_=next(iter(getattr(m, name + "WriteType"))), **more)


writes = {
    "Boolean": write("Boolean", handle=handle, value=True),
    "Int32": write("Int32", handle=handle, value=-5),
    "Float32": write("Float32", handle=handle, value=0.1),
    "Float64": write("Float64", handle=handle, value=0.1),
    "Float64.NaN": write("Float64", handle=handle, value=m.NonFinite.NOT_A_NUMBER),
    "String": write("String", handle=handle, value="Grüße 😀"),
    "DateTime": write("DateTime", handle=handle, value=at),
    "ElapsedTime": write("ElapsedTime", handle=handle, value=1500),
    "InternationalizedString": write("InternationalizedString", handle=handle, value="Hallo"),
    "BooleanArray": write("BooleanArray", handle=handle, value=[True, False]),
    "Int32Array": write("Int32Array", handle=handle, value=[1, -2, 3]),
    "Float32Array": write("Float32Array", handle=handle, value=[1.5, m.NonFinite.NOT_A_NUMBER]),
    "Float64Array": write("Float64Array", handle=handle, value=[0.1, m.NonFinite.NEGATIVE_INFINITY]),
    "StringArray": write("StringArray", handle=handle, value=["one", "", "drei"]),
    "DateTimeArray": write(
        "DateTimeArray",
        handle=handle,
        value=[datetime.datetime(2024, 1, 1, tzinfo=utc), datetime.datetime(1601, 1, 1, tzinfo=utc)],
    ),
    "timestamped": write("Int32", handle=handle, value=7, timestamp=at, client_token=4294967295, write_index=-1),
}
for name, body in writes.items():
    print(f"write.{name}", encode_write.sync(client=client, body=body).payload.read().hex())


def item(id_, value, both=False):
    return write(
        "Int32",
        id=id_,
        value=value,
        handle_bytes="010001000200050036d702009b000a003eda0000",
        handle=handle if both else UNSET,
    )


batch = encode_batch.sync(client=client, body=[item("a", 1), item("b", 2), item("c", 3)])
print("batch", batch.payload.read().hex())

answer = encode_batch_results.sync_detailed(client=client, body=[item("a", 1), item("b", 2, True), item("c", 3)])
rs = answer.parsed
print("results", int(answer.status_code), rs.count, rs.succeeded, rs.failed, rs.results[0].base64,
      rs.results[1].status, rs.results[1].errors[0].pointer, rs.results[1].id, rs.results[2].base64)  # fmt: skip

e = explain_write.sync(client=client, body=write("Int32", handle=handle, value=305419896))
print("explain", e.message, e.length, e.hex_, e.signatures.object_.hex_, len(e.fields), e.fields[0].standing)

d = decode_text.sync(client=client, body=m.TextInput(hex_=e.hex_, attribute="TestInt"))
print("decode", d.message, str(d.exact).lower(), d.write.value, str(d.names.attribute.matches).lower())

octets = decode.sync(client=client, body=File(payload=io.BytesIO(bytes.fromhex(e.hex_))))
print("decode.octets", octets.message, str(octets.exact).lower())

failed = encode_write.sync_detailed(client=client, body=write("Int32", value=1))
pr = failed.parsed
print("error", int(failed.status_code), pr.status, pr.type_.removeprefix("urn:mxrest:problem:"), pr.errors[0].pointer)
