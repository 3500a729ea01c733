// A place for a body: pasted as text in whatever form, or dropped as a file. The form is the reader's choice, or the server's guess shown as one.

import { area, field, select } from './controls.js';
import { el, fill, freshId } from './dom.js';
import { formName } from './model.js';

const choices = [
  ['text', 'any form'],
  ['hex', 'hex digits only'],
  ['base64', 'base64'],
];

export class BodyInput {
  constructor({ label, onInput, rows = 5, hint = 'Hex in any usual dress, base64, a C array, an xxd or Wireshark dump. Or drop a file of raw bytes.' }) {
    this.onInput = onInput;
    this.octets = null;
    this.area = area({ rows, class: 'code', placeholder: '37 01 00 05 00 36 d7 …', on: { input: () => { this.octets = null; this.changed(); } } });
    this.form = select(choices, { id: freshId('form'), 'aria-label': `${label}: read as`, on: { change: () => this.changed() } });
    this.file = el('input', { type: 'file', class: 'hidden-text', tabindex: '-1', 'aria-hidden': 'true', on: { change: () => this.take(this.file.files[0]) } });
    this.open = el('button', { type: 'button', on: { click: () => this.file.click() } }, 'Open a file');
    this.said = el('p', { class: 'hint form-said', role: 'status' });
    this.field = field(label, this.area, { hint });
    this.node = el('div', { class: 'drop field' }, this.field.node, el('div', { class: 'read-as' }, el('label', { for: this.form.id }, 'Read as'), this.form, this.open, this.file), this.said);
    this.node.addEventListener('dragover', (e) => { e.preventDefault(); this.node.classList.add('over'); });
    this.node.addEventListener('dragleave', () => this.node.classList.remove('over'));
    this.node.addEventListener('drop', (e) => {
      e.preventDefault();
      this.node.classList.remove('over');
      const [file] = e.dataTransfer.files;
      if (file) this.take(file);
      else this.setText(e.dataTransfer.getData('text/plain'));
    });
  }

  async take(file) {
    if (!file) return;
    const bytes = new Uint8Array(await file.arrayBuffer());
    this.file.value = '';
    this.setOctets(bytes, file.name);
  }

  /** A file that is text (a saved dump) is pasted; any other is taken as the bytes it is. */
  setOctets(bytes, name) {
    if (bytes.length && bytes.every((b) => (b >= 0x20 && b < 0x7f) || b === 9 || b === 10 || b === 13)) {
      this.setText(new TextDecoder().decode(bytes));
      return;
    }
    this.octets = bytes;
    this.area.value = '';
    this.area.placeholder = `${name}: ${bytes.length.toLocaleString('en')} bytes`;
    this.changed();
  }

  setText(text, form = 'text') {
    this.octets = null;
    this.area.value = text;
    this.form.value = form;
    this.changed();
  }

  get empty() {
    return this.octets === null && this.area.value.trim() === '';
  }

  changed() {
    fill(this.said);
    this.field.error(null);
    this.onInput();
  }

  /** The members of a TextInput as [name, JSON text] pairs. The octets of a file go as hex: only /v1/decode takes them as they are. */
  members() {
    if (this.octets) return [['hex', JSON.stringify(Array.from(this.octets, (b) => b.toString(16).padStart(2, '0')).join(''))]];
    const form = this.form.value;
    const text = form === 'text' ? this.area.value : this.area.value.trim();
    return [[form, JSON.stringify(text)]];
  }

  /** Says which form was read, and that it is a guess where it is one. */
  tell(form) {
    if (!form) return fill(this.said);
    if (this.octets || form.name === 'octets') return fill(this.said, `Read as the bytes of a file.`);
    const chosen = this.form.value !== 'text';
    const others = form.others ?? [];
    const guess = !chosen && !form.certain;
    return fill(
      this.said,
      chosen ? 'Read as chosen: ' : guess ? 'A guess: read as ' : 'Read as ',
      el('strong', {}, formName(form.name)),
      guess && others.length ? `. It could also be ${others.map(formName).join(' or ')}` : null,
      '. ',
      guess && others.includes('base64') ? el('button', { type: 'button', class: 'quiet', on: { click: () => this.choose('base64') } }, 'Read as base64') : null,
      guess && form.name === 'base64' && others.includes('hex') ? el('button', { type: 'button', class: 'quiet', on: { click: () => this.choose('hex') } }, 'Read as hex') : null,
      form.note ? el('span', {}, ' ', form.note, '.') : null,
    );
  }

  choose(form) {
    this.form.value = form;
    this.changed();
    this.form.focus();
  }

  /** What of it goes in a link. */
  share(state, prefix = '') {
    const form = this.octets ? 'hex' : this.form.value;
    if (!this.empty) state.set(`${prefix}${form}`, this.octets ? JSON.parse(this.members()[0][1]) : this.area.value);
  }

  /** The members that share() may put in a link. */
  static members(prefix = '') {
    return choices.map(([form]) => `${prefix}${form}`);
  }

  load(state, prefix = '') {
    for (const [form] of choices) {
      if (state.has(`${prefix}${form}`)) {
        this.setText(state.get(`${prefix}${form}`), form);
        return true;
      }
    }
    return false;
  }
}
