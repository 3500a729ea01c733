// From the API's answers to what the page shows. The one place that knows the shapes of both.

import { bytesOf, hexOf } from './copyas.js';
import { familyOf, standingClass } from './families.js';

/** The messages in words. */
export const messages = {
  normalWrite: 'Normal write',
  timestampedWrite: 'Timestamped write',
  adviseSupervisory: 'Advise supervisory',
  unadvise: 'Unadvise',
  subscriptionStatus: 'Subscription status',
  dataUpdate: 'Data update',
  operationStatus: 'Operation status',
  completionCode: 'Completion code',
  suspend: 'Suspend',
};

/** The forms of pasted bytes in words. */
export const textForms = {
  octets: 'bytes of a file',
  hex: 'hex digits',
  base64: 'base64',
  spacedHex: 'hex with spaces',
  commaHex: 'hex with commas',
  colonHex: 'hex with colons',
  hyphenHex: 'hex with hyphens',
  prefixedHex: 'hex with 0x',
  cArray: 'an array in source code',
  escapedHex: 'hex with \\x',
  xxd: 'an xxd dump',
  hexdump: 'a hexdump',
  wireshark: 'a Wireshark dump',
  decimalList: 'decimal numbers',
};

/** A name for a form the server may have that this page does not know yet. */
export function formName(name) {
  return textForms[name] ?? name;
}

/** A field of the API's as the views show it. */
function shown(field) {
  return {
    name: field.path || field.name,
    label: labelOf(field),
    path: field.path ?? '',
    offset: field.offset,
    length: field.length,
    hex: field.hex,
    value: valueOf(field),
    standing: field.standing,
    mark: standingClass(field.standing),
    how: field.how ?? '',
    family: familyOf(field),
  };
}

/** The field's name, with the element or record it belongs to. */
function labelOf({ name, path = '' }) {
  const element = /(?:^|\.)value\.(\d+)/.exec(path);
  const record = /^records\.(\d+)/.exec(path);
  let label = name;
  if (element) label = label.startsWith('element') ? label.replace('element', `element ${element[1]}`) : `${label} ${element[1]}`;
  return record ? `record ${record[1]} ${label}` : label;
}

function valueOf(field) {
  const { value, text, bits } = field;
  let s = value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : Object.is(value, -0) ? '-0' : String(value);
  if (s === '') s = text ? '' : '(empty)';
  if (bits) s += `, bits ${bits}`;
  if (text && text !== s) s = s ? `${text} (${s})` : text;
  return s;
}

/** A body from the answer of an explain operation. */
export function explained(doc, facts = []) {
  return { title: messages[doc.message] ?? doc.message ?? 'Handle', facts, bytes: bytesOf(doc.hex), fields: doc.fields.map(shown), doc };
}

/** A body from the answer of a decode operation. */
export function decoded(doc) {
  return explained(doc, doc.write ? [doc.write.type] : []);
}

/**
 * What could be read of a broken body: the fields before the fault, then the bytes that were not read, where they are known. bytes is the whole body, or null when only
 * the fields are.
 */
export function broken(problem) {
  const { doc } = problem;
  const fields = (doc.fields ?? []).map(shown);
  const end = fields.reduce((n, f) => Math.max(n, f.offset + f.length), 0);
  const whole = doc.hex ? bytesOf(doc.hex) : bytesOf(fields.map((f) => f.hex).join(''));
  if (whole.length === 0) return null;
  if (whole.length > end) {
    const rest = whole.subarray(end);
    fields.push({ name: 'unread', label: 'not read', path: '', offset: end, length: rest.length, hex: hexOf(rest), value: '', standing: 'not read', mark: 'unread', how: problem.errors[0]?.reason ?? '', family: 'unread' });
  }
  return { title: 'Broken body', facts: [`read up to offset ${end}`], bytes: whole, fields, doc };
}

/** One side of a comparison: its fields tile its body. */
export function side(doc, which) {
  const fields = doc.fields.map((f) => f[which]).filter(Boolean).map(shown).sort((a, b) => a.offset - b.offset);
  return { title: messages[doc[which].message] ?? doc[which].message, bytes: bytesOf(fields.map((f) => f.hex).join('')), fields };
}

/** A replayed body: what was changed, and what was kept between. */
export function replayed(doc) {
  const bytes = bytesOf(doc.hex);
  const fields = [];
  const keep = (from, to) => {
    if (to > from) fields.push({ name: `kept-${from}`, label: 'kept', path: '', offset: from, length: to - from, hex: hexOf(bytes.subarray(from, to)), value: 'as captured', standing: 'captured', mark: 'kept', how: '', family: 'frame' });
  };
  let at = 0;
  // A value put in place of the same value is not a change.
  for (const c of doc.changed.filter((f) => f.hex !== f.was).sort((a, b) => a.offset - b.offset)) {
    keep(at, c.offset);
    fields.push({ name: c.name, label: c.name, path: '', offset: c.offset, length: c.length, hex: c.hex, value: `was ${c.was}`, standing: 'changed', mark: 'changed', how: '', family: familyOf({ name: c.name, path: c.name }) });
    at = c.offset + c.length;
  }
  keep(at, bytes.length);
  return { title: `Body ${doc.index + 1}`, bytes, fields };
}

export { shown as shownField };
