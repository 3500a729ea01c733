// A stream of messages as some captures keep it: a u32 little-endian length and that many bytes, repeated to the end.

/** The bodies of the frames, or null where the bytes are not frames from the first to the last. */
export function framed(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const bodies = [];
  let at = 0;
  while (at < bytes.length) {
    if (bytes.length - at < 4) return null;
    const length = view.getUint32(at, true);
    if (length === 0 || length > bytes.length - at - 4) return null;
    bodies.push(bytes.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return bodies.length ? bodies : null;
}
