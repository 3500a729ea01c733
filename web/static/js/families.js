// What a field is about decides its colour. A family is never told by colour alone: the field's name stands under its bytes, and the legend names the family.

/** The families in the order of the legend: key (a CSS class suffix), name, and what it holds. */
export const families = [
  ['frame', 'Frame', 'command, version, counts of records'],
  ['ids', 'Ids', 'galaxy, platform, engine, object, attribute, GUIDs'],
  ['sig', 'Signatures', 'CRC-16 of a name'],
  ['shape', 'Shape', 'kind, lengths and counts that say how to read the value'],
  ['value', 'Value', 'what is written or read'],
  ['time', 'Time', 'FILETIME'],
  ['status', 'Status', 'status words, quality, completion'],
  ['tail', 'Tail', 'discriminator, client token, write index'],
  ['unknown', 'No known meaning', 'kept as it is'],
  ['unread', 'Not read', 'bytes after the place where reading stopped'],
];

// The first rule that matches wins. Each looks at the name and path, lower case.
const rules = [
  ['unknown', /unknown|no known meaning/],
  ['sig', /signature/],
  ['status', /status|quality|completion|detail/],
  ['time', /^filetime|\.filetime|timestamp/],
  ['tail', /tail|discriminator|token|write ?index|extra/],
  ['frame', /record ?count|command|opcode|version/],
  ['shape', /kind|length|count|width|terminator|header|array reserved/],
  ['value', /value|element|text/],
  ['ids', /handle|galaxy|platform|engine|object|primitive|attribute|property|correlation|operation ?id|guid|index/],
];

/** The family of a field as the server names it. */
export function familyOf(field) {
  const text = `${field.name} ${field.path ?? ''}`.toLowerCase();
  for (const [family, pattern] of rules) {
    if (pattern.test(text)) return family;
  }
  return 'frame';
}

/** What each standing means, in the words of the wire format. */
export const standings = {
  confirmed: 'stated by the source, or seen in captured bytes and recomputed',
  derived: 'follows by arithmetic from confirmed facts',
  assumed: 'our own choice where nothing decides; a real plant may differ',
  configured: 'set by the layout file this server was started with',
  learned: 'settled by captures that a layout was learned from',
};

/** A standing as a class suffix; whatever is not a standing of the API's (bytes that were not read, say) is unmarked. */
export function standingClass(standing) {
  return standing in standings ? standing : 'unmarked';
}
