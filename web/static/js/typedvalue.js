// A type and a value of it: the control changes with the type, and what is typed goes to the server as it was typed. 9007199254740993 stays ...993: no number passes
// through JavaScript's own on its way out.

import { area, choice, field, line, select } from './controls.js';
import { el, fill, freshId } from './dom.js';
import { LinkError, LinkNumber } from './share.js';

export const scalars = ['Boolean', 'Int32', 'Float32', 'Float64', 'String', 'DateTime', 'ElapsedTime', 'InternationalizedString'];
export const arrays = ['BooleanArray', 'Int32Array', 'Float32Array', 'Float64Array', 'StringArray', 'DateTimeArray'];

const hints = {
  Int32: 'a whole number, -2147483648 to 2147483647',
  Float32: 'a number, or NaN, Infinity, -Infinity',
  Float64: 'a number, or NaN, Infinity, -Infinity',
  String: null,
  InternationalizedString: 'written as String',
  DateTime: 'RFC 3339 with Z or an offset, to 100 ns, from 1601',
  ElapsedTime: 'whole milliseconds, written as Int32',
  BooleanArray: 'true and false, separated by spaces, commas or lines; or a JSON array',
  Int32Array: 'whole numbers, separated by spaces, commas or lines; or a JSON array',
  Float32Array: 'numbers, separated by spaces, commas or lines; or a JSON array',
  Float64Array: 'numbers, separated by spaces, commas or lines; or a JSON array',
  StringArray: 'one element a line; or a JSON array, for elements with line breaks',
  DateTimeArray: 'RFC 3339 times, one a line; or a JSON array',
};

const examples = {
  Boolean: 'true',
  Int32: '305419896',
  Float32: '233.1',
  Float64: '0.1',
  String: 'Hello',
  DateTime: '2024-01-01T02:00:00+02:00',
  ElapsedTime: '90000',
  InternationalizedString: 'Grüße',
  BooleanArray: 'true false true',
  Int32Array: '1 2 3',
  Float32Array: '0.5 NaN -1',
  Float64Array: '0.1 0.2 0.3',
  StringArray: 'Open\nClosed',
  DateTimeArray: '2024-01-01T00:00:00Z',
};

/** Raised where the typed text cannot even be put in a request. */
export class TypedError extends Error {}

/** Refuses a type that a link names and the server does not have. */
export function checkType(type) {
  if (!scalars.includes(type) && !arrays.includes(type)) throw new LinkError(type === undefined ? 'no type is named' : `there is no type ${JSON.stringify(type)}`);
}

/** Refuses what no control of the type can show; whether the value is a good one is the server's to judge. */
export function checkTyped({ type, value, bits }) {
  checkType(type);
  const plain = (v) => v !== null && (typeof v !== 'object' || v instanceof LinkNumber) && (type !== 'StringArray' || typeof v === 'string');
  const fits = arrays.includes(type) ? Array.isArray(value) && value.every(plain) : plain(value);
  if (value !== undefined && !fits) throw new LinkError(`its value is no ${type}`);
  if (bits !== undefined && typeof bits !== 'string' && !(Array.isArray(bits) && bits.every((b) => b !== null && typeof b === 'object'))) throw new LinkError('its bits are neither text nor a list');
}

/** The type select with all fourteen types. */
export function typeSelect(props = {}) {
  return select([{ label: 'Scalars', options: scalars }, { label: 'Arrays', options: arrays }], props);
}

/**
 * A type select and the control for its value. onInput is called at every change. With filled, a value stands there from the start; without, the example is a
 * placeholder only, and `given` stays false until a value is typed or loaded: what nobody stated is not a statement.
 */
export class TypedValue {
  constructor({ type = 'Int32', filled = false, onInput = () => {}, typeLabel = 'Type', valueLabel = 'Value', fixed = false }) {
    this.filled = filled;
    this.onInput = onInput;
    this.valueLabel = valueLabel;
    this.kept = new Map(); // what was typed for a type, for when the reader comes back to it
    this.typeField = field(typeLabel, typeSelect({ value: type, on: { change: () => this.retype() } }));
    this.slot = el('div', {});
    this.typeField.node.hidden = fixed; // the type follows another control's
    this.node = el('div', { class: 'group' }, this.typeField.node, this.slot);
    this.current = type;
    this.build(this.start(type));
  }

  /** The text a type begins with; undefined for none. */
  start(type) {
    return this.filled ? examples[type] : undefined;
  }

  get type() {
    return this.typeField.control.value;
  }

  /** The value as typed, text. */
  get text() {
    return this.read();
  }

  /** The members for a request, as [name, JSON text] pairs. */
  members() {
    const out = [['type', JSON.stringify(this.type)]];
    if (this.given) out.push(['value', valueJSON(this.type, this.read())]);
    const bits = this.bits?.control.value.trim();
    if (bits) out.push(['bits', bitsJSON(this.type, bits)]);
    return out;
  }

  /** Puts in what a JSON answer or a link says: type, value, and the bits of what is NaN. */
  load({ type = 'Int32', value, bits }) {
    this.set(type, value === undefined ? undefined : valueText(type, value), bitsText(bits));
  }

  /** Puts in a type and the text of a value; undefined for no value yet. */
  set(type, text, bits = '') {
    this.kept.clear();
    this.typeField.control.value = type;
    this.current = type;
    this.build(text);
    if (this.bits) this.bits.control.value = bits;
    this.showBits();
  }

  /** Follows another control's type. */
  setType(type) {
    if (this.given) this.kept.set(this.current, this.read());
    this.typeField.control.value = type;
    this.current = type;
    this.build(this.kept.get(type) ?? this.start(type));
  }

  error(where, text) {
    if (where === 'type') this.typeField.error(text);
    else if (where === 'bits' && this.bits) this.bits.error(text);
    else this.valueField.error(text);
  }

  clearErrors() {
    this.typeField.error(null);
    this.valueField.error(null);
    this.bits?.error(null);
  }

  retype() {
    this.setType(this.type);
    this.onInput();
  }

  build(text) {
    const { type } = this;
    const changed = () => { this.given = true; this.none.hidden = true; this.showBits(); this.onInput(); };
    this.given = text !== undefined;
    this.bits = null;
    // An empty text and an empty array are values too, and typing nothing cannot state them.
    this.none = el('button', { type: 'button', class: 'quiet', hidden: true, on: { click: () => { this.valueField.control.focus(); changed(); } } }, 'It is empty');
    if (type === 'Boolean') {
      const pick = choice(this.valueLabel, [['true', 'true'], ['false', 'false']], { value: text === undefined ? '' : text === 'false' ? 'false' : 'true', onChange: changed });
      this.read = () => pick.value;
      this.valueField = radioField(this.valueLabel, pick);
    } else {
      const many = arrays.includes(type) || type === 'String' || type === 'InternationalizedString';
      const words = type.startsWith('String') || type === 'InternationalizedString';
      const placeholder = `such as ${examples[type]}`;
      const control = many ? area({ rows: arrays.includes(type) ? 4 : 2, class: words ? '' : 'code', value: text, placeholder, on: { input: changed } }) : line({ class: 'code', value: text, placeholder, on: { input: changed } });
      this.none.hidden = this.given || !many;
      const now = /DateTime/.test(type)
        ? el('button', { type: 'button', class: 'quiet', on: { click: () => { control.value = arrays.includes(type) ? `${control.value.trimEnd()}\n${nowText()}`.trimStart() : nowText(); changed(); } } }, arrays.includes(type) ? 'Add the time now' : 'Now')
        : null;
      this.read = () => control.value;
      this.valueField = field(this.valueLabel, control, { hint: hints[type], extra: now || many ? [now, this.none] : null });
    }
    const some = type.startsWith('Float32') ? 'ffc00001' : 'fff8000000000001';
    if (type === 'Float32' || type === 'Float64') {
      this.bits = field('Bits of this NaN', line({ class: 'code', placeholder: some, on: { input: this.onInput } }), { hint: 'optional: hex, the highest digit first' });
    } else if (type.startsWith('Float')) {
      this.bits = field('Bits of NaN elements', area({ rows: 2, class: 'code', placeholder: `2: ${some}`, on: { input: this.onInput } }), { hint: 'optional, a line each: which element, from 0, and its bits' });
    }
    fill(this.slot, el('div', { class: 'group' }, this.valueField.node, this.bits?.node));
    this.showBits();
  }

  showBits() {
    if (!this.bits) return;
    this.bits.node.hidden = arrays.includes(this.type) ? !this.read().includes('NaN') : this.read().trim() !== 'NaN';
    if (this.bits.node.hidden) this.bits.control.value = '';
  }
}

function radioField(label, pick) {
  const error = el('p', { class: 'error', id: freshId('e'), hidden: true });
  return {
    node: el('div', { class: 'field' }, el('span', { class: 'label', 'aria-hidden': 'true' }, label), pick.node, error),
    error(text) {
      error.textContent = text ?? '';
      error.hidden = !text;
      for (const [name, value] of [['aria-invalid', 'true'], ['aria-describedby', error.id]]) {
        if (text) pick.node.setAttribute(name, value);
        else pick.node.removeAttribute(name);
      }
    },
  };
}

/** The current time as the API takes it. */
export function nowText() {
  return new Date().toISOString();
}

const number = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** Typed text as the JSON of a number where it is one; as a JSON string otherwise, for the server to judge. */
export function numberJSON(text) {
  const s = text.trim();
  return number.test(s) ? s : JSON.stringify(s);
}

/** Typed text as the JSON of a value of the type. */
export function valueJSON(type, text) {
  if (!arrays.includes(type)) return scalarJSON(type, text);
  const s = text.trim();
  if (s.startsWith('[')) {
    try {
      JSON.parse(s);
    } catch (err) {
      throw new TypedError(`Not a JSON array yet: ${err.message}`);
    }
    return s;
  }
  if (s === '') return '[]';
  const element = type.slice(0, -'Array'.length);
  const parts = element === 'String' ? text.split('\n') : s.split(/[\s,;]+/);
  return `[${parts.filter((p) => p !== '' || element === 'String').map((p) => scalarJSON(element, p)).join(',')}]`;
}

function scalarJSON(type, text) {
  switch (type) {
    case 'Boolean':
      return text === 'true' || text === 'false' ? text : JSON.stringify(text);
    case 'Int32':
    case 'Float32':
    case 'Float64':
    case 'ElapsedTime':
      return numberJSON(text);
    case 'DateTime':
      return JSON.stringify(text.trim());
    default:
      return JSON.stringify(text);
  }
}

/** Typed bits as JSON: a string for a scalar, a list of elements for an array. */
function bitsJSON(type, text) {
  if (!arrays.includes(type)) return JSON.stringify(text);
  const elements = text.split('\n').filter((l) => l.trim()).map((l) => {
    const [, index, bits] = /^\s*(\d+)\s*:\s*(\S+)\s*$/.exec(l) ?? [];
    if (index === undefined) throw new TypedError(`Each line of bits is an element's number, a colon and its bits: ${l}`);
    return `{"index":${Number(index)},"bits":${JSON.stringify(bits)}}`;
  });
  return `[${elements.join(',')}]`;
}

function bitsText(bits) {
  return Array.isArray(bits) ? bits.map((e) => `${e.index}: ${e.bits}`).join('\n') : (bits ?? '');
}

/** JSON text of a value from an answer. JSON.stringify would drop the sign of -0, and with it a bit. */
export function exactJSON(value) {
  if (Array.isArray(value)) return `[${value.map(exactJSON).join(',')}]`;
  if (value && typeof value === 'object') return `{${Object.entries(value).map(([k, v]) => `${JSON.stringify(k)}:${exactJSON(v)}`).join(',')}}`;
  return Object.is(value, -0) ? '-0.0' : JSON.stringify(value);
}

/** A value from a JSON answer as the text that the control shows. */
export function valueText(type, value) {
  if (!Array.isArray(value)) return one(value);
  if (type !== 'StringArray') return value.map(one).join('\n');
  return value.length === 0 || value.some((v) => v.includes('\n')) || (value.length === 1 && value[0] === '') || value[0].trim().startsWith('[') ? JSON.stringify(value) : value.join('\n');
}

function one(value) {
  return Object.is(value, -0) ? '-0.0' : String(value);
}

/** [name, JSON text] pairs as the text of an object. */
export function object(members) {
  return `{${members.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`;
}
