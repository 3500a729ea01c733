// The form of one write: type, value, handle, timestamp, token and index. It yields the JSON text that /v1/write takes, and shows the server's errors at the controls
// that their pointers name.

import { field, fold, line } from './controls.js';
import { el } from './dom.js';
import { HandleForm, handleMembers } from './handleform.js';
import { jsonMember, linkObject } from './share.js';
import { TypedError, TypedValue, arrays, checkTyped, nowText, numberJSON, object } from './typedvalue.js';

export class WriteForm {
  constructor({ onInput }) {
    this.onInput = onInput;
    this.typed = new TypedValue({ onInput, filled: true });
    this.handle = new HandleForm({ onInput, whole: () => arrays.includes(this.typed.type) });
    this.timed = el('input', { type: 'checkbox', on: { change: () => this.showTime() } });
    this.time = field('Timestamp', line({ class: 'code', on: { input: onInput } }), {
      hint: 'RFC 3339 with Z or an offset',
      extra: el('button', { type: 'button', class: 'quiet', on: { click: () => { this.time.control.value = nowText(); onInput(); } } }, 'Now'),
    });
    this.time.node.hidden = true;
    this.token = field('Client token', line({ class: 'code', inputmode: 'numeric', placeholder: '0', on: { input: onInput } }));
    this.index = field('Write index', line({ class: 'code', inputmode: 'numeric', placeholder: '0', on: { input: onInput } }));
    this.rest = fold('Time, token, index', [
      el('label', { class: 'check plain' }, this.timed, 'Timestamped write'),
      this.time.node,
      el('div', { class: 'grid-2' }, this.token.node, this.index.node),
    ], () => this.summary());
    this.node = el(
      'form',
      { class: 'form panel', 'aria-label': 'The write', novalidate: true, on: { submit: (e) => e.preventDefault() } },
      this.typed.node,
      this.handle.node,
      this.rest.node,
    );
    this.rest.refresh();
  }

  summary() {
    return [this.timed.checked ? this.time.control.value : 'no timestamp', `token ${this.token.control.value || 0}`, `index ${this.index.control.value || 0}`].join(', ');
  }

  showTime() {
    this.time.node.hidden = !this.timed.checked;
    if (this.timed.checked && !this.time.control.value) this.time.control.value = nowText();
    this.onInput();
  }

  /** The request as JSON text, or null with the reason shown at the control. */
  text() {
    this.clearErrors();
    let members;
    try {
      members = [...this.handle.members(), ...this.typed.members()];
    } catch (err) {
      if (!(err instanceof TypedError)) throw err;
      this.typed.error('value', err.message);
      return null;
    }
    if (this.timed.checked) members.push(['timestamp', JSON.stringify(this.time.control.value.trim())]);
    if (this.token.control.value.trim()) members.push(['clientToken', numberJSON(this.token.control.value)]);
    if (this.index.control.value.trim()) members.push(['writeIndex', numberJSON(this.index.control.value)]);
    return object(members);
  }

  /** Puts in a write as the API's JSON has it. What is absent is emptied. */
  load(write) {
    this.typed.load(write);
    this.handle.load(write);
    this.timed.checked = 'timestamp' in write;
    this.time.control.value = write.timestamp ?? '';
    this.time.node.hidden = !this.timed.checked;
    this.token.control.value = write.clientToken ?? '';
    this.index.control.value = write.writeIndex ?? '';
    this.rest.refresh();
    this.clearErrors();
  }

  clearErrors() {
    this.typed.clearErrors();
    this.handle.clearErrors();
    for (const f of [this.time, this.token, this.index]) f.error(null);
  }

  /** Shows each error at its control; returns those that have none. */
  showErrors(errors) {
    const rest = errors.filter((e) => {
      const [, head, next] = (e.pointer ?? '').split('/');
      const say = e.limit ? `${e.reason} (${e.limit})` : e.reason;
      if (head === 'value' || head === 'type' || head === 'bits') this.typed.error(head, next === undefined ? say : `Element ${next}: ${say}`);
      else if (head === 'timestamp') this.time.error(say);
      else if (head === 'clientToken') this.token.error(say);
      else if (head === 'writeIndex') this.index.error(say);
      else return !this.handle.showError(head, next, say);
      return false;
    });
    // An error in a folded part would not be seen.
    for (const part of [this.handle.fold.node, this.rest.node]) if (part.querySelector('[aria-invalid]')) part.open = true;
    return rest;
  }
}

/** A write that stands in a link, or a LinkError that says what of it cannot be read. Values are left for the server to judge. */
export function linkWrite(state) {
  const write = linkObject(jsonMember(state, 'write'), 'its write', ['type', 'value', 'bits', 'handle', 'handleBytes', 'timestamp', 'clientToken', 'writeIndex']);
  checkTyped(write);
  if ('handle' in write) linkObject(write.handle, 'the handle in it', handleMembers);
  return write;
}
