// openapi-typescript's types with openapi-fetch: what every client of this folder does, printed as run.py compares it.
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

type Write = components["schemas"]["Write"];
type Handle = components["schemas"]["Handle"];

const client = createClient<paths>({
  baseUrl: process.argv[2],
  headers: { Authorization: `Bearer ${process.env.MXREST_KEY}` },
});
const hex = (b: ArrayBuffer) => Buffer.from(b).toString("hex");
const print = (...parts: unknown[]) => console.log(parts.join(" "));

const handle: Handle = {
  galaxyId: 1, platformId: 1, engineId: 2, objectId: 5, object: "TestChildObject",
  primitiveId: 2, attributeId: 155, propertyId: 10, attribute: "TestInt",
};
const at = "2024-01-01T00:00:00.123Z";

const writes: Record<string, Write> = {
  Boolean: { handle, type: "Boolean", value: true },
  Int32: { handle, type: "Int32", value: -5 },
  Float32: { handle, type: "Float32", value: 0.1 },
  Float64: { handle, type: "Float64", value: 0.1 },
  "Float64.NaN": { handle, type: "Float64", value: "NaN" },
  String: { handle, type: "String", value: "Grüße 😀" },
  DateTime: { handle, type: "DateTime", value: at },
  ElapsedTime: { handle, type: "ElapsedTime", value: 1500 },
  InternationalizedString: { handle, type: "InternationalizedString", value: "Hallo" },
  BooleanArray: { handle, type: "BooleanArray", value: [true, false] },
  Int32Array: { handle, type: "Int32Array", value: [1, -2, 3] },
  Float32Array: { handle, type: "Float32Array", value: [1.5, "NaN"] },
  Float64Array: { handle, type: "Float64Array", value: [0.1, "-Infinity"] },
  StringArray: { handle, type: "StringArray", value: ["one", "", "drei"] },
  DateTimeArray: { handle, type: "DateTimeArray", value: ["2024-01-01T00:00:00Z", "1601-01-01T00:00:00Z"] },
  timestamped: { handle, type: "Int32", value: 7, timestamp: at, clientToken: 4294967295, writeIndex: -1 },
};
for (const [name, body] of Object.entries(writes)) {
  const { data } = await client.POST("/v1/write", { body, parseAs: "arrayBuffer" });
  print(`write.${name}`, hex(data!));
}

const item = (id: string, value: number, both = false): Write => ({
  id, type: "Int32", value, handleBytes: "010001000200050036d702009b000a003eda0000", ...(both ? { handle } : {}),
});
const batch = await client.POST("/v1/write/batch", {
  body: [item("a", 1), item("b", 2), item("c", 3)], parseAs: "arrayBuffer",
});
print("batch", hex(batch.data!));

const results = await client.POST("/v1/write/batch/results", { body: [item("a", 1), item("b", 2, true), item("c", 3)] });
const rs = results.data!;
if (typeof rs === "string") throw new Error("NDJSON without asking for it");
print("results", results.response.status, rs.count, rs.succeeded, rs.failed, rs.results[0].base64,
  rs.results[1].status, rs.results[1].errors![0].pointer, rs.results[1].id, rs.results[2].base64);

const explained = await client.POST("/v1/write/explain", { body: { handle, type: "Int32", value: 305419896 } });
const e = explained.data!;
print("explain", e.message, e.length, e.hex, e.signatures.object.hex, e.fields.length, e.fields[0].standing);

const decoded = await client.POST("/v1/decode/text", { body: { hex: e.hex, attribute: "TestInt" } });
const d = decoded.data!;
print("decode", d.message, d.exact, d.write!.value, d.names!.attribute!.matches);

const octets = await client.POST("/v1/decode", {
  body: Buffer.from(e.hex, "hex") as unknown as string, // binary is typed as string
  bodySerializer: (body) => body,
  headers: { "Content-Type": "application/octet-stream" },
});
print("decode.octets", octets.data!.message, octets.data!.exact);

const failed = await client.POST("/v1/write", { body: { type: "Int32", value: 1 }, parseAs: "arrayBuffer" });
const pr = failed.error!;
print("error", failed.response.status, pr.status, pr.type.replace("urn:mxrest:problem:", ""), pr.errors![0].pointer);
