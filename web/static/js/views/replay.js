// Replay: a captured write with other values in it, every other byte kept.

import { address, hasKey, latest, postJSON } from '../api.js';
import { BodyInput } from '../bodyinput.js';
import { ByteGrid } from '../bytegrid.js';
import { field, line, problemNode } from '../controls.js';
import { copyBar, curlFor } from '../copyas.js';
import { announce, count, debounced, el, fill } from '../dom.js';
import { Handout } from '../handout.js';
import { replayed } from '../model.js';
import { onlyMembers, shareBar } from '../share.js';
import { TypedError, TypedValue, checkType, numberJSON, object } from '../typedvalue.js';

export class Replay {
  constructor() {
    this.run = latest();
    this.reading = latest();
    this.soon = debounced(150, () => this.refresh());
    const changed = () => this.changed();
    this.input = new BodyInput({ label: 'Captured write', onInput: () => { this.offerFill(); changed(); }, rows: 5 });
    this.was = new TypedValue({ typeLabel: 'Its type', valueLabel: 'The value in it', onInput: () => { this.retype(); changed(); } });
    this.fillIn = el('button', { type: 'button', class: 'quiet', on: { click: () => this.readCapture() } }, 'Read type and value from the body');
    this.changes = el('div', { class: 'group' });
    this.list = [];
    this.problem = el('div', { 'aria-live': 'polite' });
    this.out = el('div', { class: 'result' });
    this.handout = new Handout(this.out);
    this.bars = el('div', { class: 'bars', hidden: true }, shareBar('replay', (withValues) => this.share(withValues)));
    this.node = el(
      'div',
      { class: 'view split' },
      el('div', { class: 'intro span-all' }, el('h1', { tabindex: '-1' }, 'Replay a capture'), el('p', {}, 'For a plant whose bytes differ from the layout: the captured body with another value in it, every other byte kept.')),
      el(
        'form',
        { class: 'form panel', 'aria-label': 'Capture and changes', novalidate: true, on: { submit: (e) => e.preventDefault() } },
        this.input.node,
        el('fieldset', {}, el('legend', {}, 'What it was captured with'), this.was.node, this.fillIn),
        el('fieldset', {}, el('legend', {}, 'New bodies'), this.changes, el('div', { class: 'actions' }, el('button', { type: 'button', on: { click: () => { this.add().focus(); changed(); } } }, 'Add another'))),
      ),
      el('div', { class: 'result' }, this.problem, this.handout.note, this.out, this.bars),
    );
    this.add();
    this.offerFill();
    this.idle();
    addEventListener('mxrest:key', () => this.refresh());
  }

  show() {}

  idle() {
    this.handout.clear();
    this.bars.hidden = true;
    fill(this.out, el('div', { class: 'empty' }, el('h2', {}, 'Paste a captured write'), el('p', {}, 'Say what it wrote, and give the new value. If the stated value does not stand in the body, nothing is made, and what stands there is shown.'), el('div', { class: 'actions' }, el('button', { type: 'button', on: { click: () => this.example() } }, 'Try an example'))));
  }

  /** A value that nobody has stated yet is asked for, not complained of. */
  asking() {
    this.handout.clear();
    this.bars.hidden = true;
    const missing = this.was.given ? ['The new value is missing', 'Give it on the left, and the body with it appears here.'] : ['What did this capture write?', 'State the value in it on the left: it is looked for in the body before anything is changed.'];
    fill(this.out, el('div', { class: 'empty' }, el('h2', {}, missing[0]), el('p', {}, missing[1])));
  }

  example() {
    this.was.set('Int32', '305419896');
    this.retype();
    this.list[0].typed.set('Int32', '7');
    this.input.setText('37 0100 050036d702009b000a003eda0000 02 78563412 ffff 0000000000000000 00000000 00000000');
    this.input.area.focus();
  }

  offerFill() {
    this.fillIn.hidden = this.input.empty;
  }

  /** Asks the server what it reads in the capture by the layout in force; the reader may know better. */
  async readCapture() {
    const { dropped, problem, value } = await this.reading((signal) => postJSON('v1/decode/text', object(this.input.members()), signal));
    if (dropped) return; // the capture or what is said of it changed meanwhile
    if (problem || !value.write) {
      announce('The layout in force does not read a write in this body; say type and value yourself');
      return;
    }
    this.was.load(value.write);
    this.retype();
    this.changed();
  }

  retype() {
    for (const change of this.list) if (change.typed.type !== this.was.type) change.typed.setType(this.was.type);
  }

  add() {
    const changed = () => this.changed();
    const typed = new TypedValue({ type: this.was.type, valueLabel: 'New value', fixed: true, onInput: changed });
    const time = field('Timestamp', line({ class: 'code', on: { input: changed } }), { wide: 'span-2' });
    const token = field('Client token', line({ class: 'code', inputmode: 'numeric', on: { input: changed } }));
    const index = field('Write index', line({ class: 'code', inputmode: 'numeric', on: { input: changed } }));
    const remove = el('button', { type: 'button', class: 'quiet', on: { click: () => { this.remove(change); this.list[0].focus(); changed(); } } }, 'Remove');
    const node = el('div', { class: 'change' }, typed.node, el('details', {}, el('summary', {}, 'Other token, index or time'), el('div', { class: 'grid-2' }, token.node, index.node, time.node)), remove);
    const change = { node, typed, time, token, index, remove, focus: () => typed.valueField.node.querySelector('input, textarea')?.focus() };
    this.list.push(change);
    this.changes.append(node);
    this.renumber();
    return change;
  }

  remove(change) {
    this.list = this.list.filter((c) => c !== change);
    change.node.remove();
    this.renumber();
  }

  renumber() {
    this.list.forEach((c) => { c.remove.hidden = this.list.length === 1; });
  }

  /** Another capture or other values: the bodies shown are not made from them. */
  changed() {
    this.run.drop();
    this.reading.drop();
    this.handout.wait();
    this.soon();
  }

  async refresh() {
    this.run.drop();
    this.handout.wait();
    fill(this.problem);
    this.input.field.error(null);
    this.was.clearErrors();
    this.list.forEach((c) => { c.typed.clearErrors(); [c.time, c.token, c.index].forEach((f) => f.error(null)); });
    if (this.input.empty) return this.idle();
    if (!this.was.given || this.list.some((c) => !c.typed.given)) return this.asking();
    const request = this.request();
    if (request === null) return this.handout.stale('These bodies were made from what stood in the form before: they are not given out.');
    const { dropped, problem, value } = await this.run((signal) => postJSON('v1/replay', request, signal));
    if (dropped) return undefined;
    if (problem) {
      this.place(problem.errors);
      this.bars.hidden = true;
      fill(this.out);
      this.handout.clear();
      fill(this.problem, problemNode(problem));
      return undefined;
    }
    this.bars.hidden = false;
    fill(this.out, el('h2', {}, value.bodies.length === 1 ? 'One body' : count(value.bodies.length, 'body', 'bodies')), value.bodies.slice(0, 100).map((doc, i) => bodyNode(doc, this.request(i))));
    this.handout.open();
    return undefined;
  }

  /** The request of all changes, or of one of them. */
  request(only = null) {
    let at = this.was;
    try {
      const head = [['capture', object(this.input.members())], ...this.was.members()];
      const changes = this.list.filter((c, i) => only === null || i === only).map((c) => {
        at = c.typed;
        const members = c.typed.members().filter(([name]) => name !== 'type');
        if (c.time.control.value.trim()) members.push(['timestamp', JSON.stringify(c.time.control.value.trim())]);
        if (c.token.control.value.trim()) members.push(['clientToken', numberJSON(c.token.control.value)]);
        if (c.index.control.value.trim()) members.push(['writeIndex', numberJSON(c.index.control.value)]);
        return object(members);
      });
      return object([...head, ['changes', `[${changes.join(',')}]`]]);
    } catch (err) {
      if (!(err instanceof TypedError)) throw err;
      at.error('value', err.message);
      return null;
    }
  }

  place(errors) {
    for (const e of errors) {
      const [, head, i, member] = (e.pointer ?? '').split('/');
      const say = e.limit ? `${e.reason} (${e.limit})` : e.reason;
      const change = head === 'changes' ? this.list[Number(i)] : null;
      if (head === 'capture') this.input.field.error(say);
      else if (head === 'value' || head === 'type' || head === 'bits') this.was.error(head, say);
      else if (change && member === 'timestamp') change.time.error(say);
      else if (change && member === 'clientToken') change.token.error(say);
      else if (change && member === 'writeIndex') change.index.error(say);
      else if (change) change.typed.error('value', say);
    }
  }

  share(withValues) {
    const state = new URLSearchParams({ type: this.was.type });
    if (withValues) {
      this.input.share(state);
      if (this.was.given) state.set('was', this.was.text);
      for (const c of this.list) if (c.typed.given) state.append('new', c.typed.text);
    }
    return state;
  }

  load(state) {
    onlyMembers(state, [...BodyInput.members(), 'type', 'was', 'new']);
    if (state.has('type')) checkType(state.get('type'));
    // What was said of another capture is not said of this one.
    this.was.set(state.get('type') ?? this.was.type, state.get('was') ?? undefined);
    const values = state.has('new') ? state.getAll('new') : [undefined];
    for (const c of this.list.slice(values.length)) this.remove(c);
    values.forEach((text, i) => (this.list[i] ?? this.add()).typed.set(this.was.type, text));
    const given = this.input.load(state);
    if (given && !state.has('was')) this.readCapture();
    if (!given) this.refresh();
  }

  /** Leaves nothing in the form. */
  clear() {
    for (const c of this.list.slice(1)) this.remove(c);
    this.was.set('Int32');
    this.list[0].typed.set('Int32');
    this.input.setText('');
  }
}

function bodyNode(doc, request) {
  const body = replayed(doc);
  const changed = doc.changed.filter((c) => c.hex !== c.was);
  const grid = new ByteGrid({ label: `${body.title}: bytes`, onHover: (i) => grid.light(i), onPick: () => {} });
  grid.show(body);
  return el('section', { class: 'body-view', 'aria-label': body.title }, el('div', { class: 'body-head' }, el('h3', {}, body.title), el('p', { class: 'muted' }, count(body.bytes.length, 'byte'), `, changed: ${changed.map((c) => c.name).join(', ') || 'nothing'}`)), changed.length ? null : el('p', { class: 'note' }, 'Nothing changed: the new values are the captured ones, so this is the captured body.'), grid.node, copyBar(() => ({ bytes: body.bytes, curl: curlFor({ url: address('v1/replay'), json: request, keyed: hasKey(), out: 'replayed.json' }) })));
}
