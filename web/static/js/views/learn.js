// Learn a layout: captures in, the layout that reproduces all of them out, or what contradicts what.

import { latest, postJSON } from '../api.js';
import { BodyInput } from '../bodyinput.js';
import { choice, field, line, problemNode } from '../controls.js';
import { announce, count, el, fill, table } from '../dom.js';
import { badge } from '../fieldtable.js';
import { Handout, gives } from '../handout.js';
import { download, layoutValue } from '../layoutfile.js';
import { LinkError, jsonMember, linkObject, onlyMembers, shareBar } from '../share.js';
import { TypedError, TypedValue, checkTyped, numberJSON, object } from '../typedvalue.js';

const known = [
  ['object', 'Object name', false],
  ['attribute', 'Attribute name', false],
  ['objectId', 'Object id', true],
  ['primitiveId', 'Primitive', true],
  ['attributeId', 'Attribute id', true],
  ['propertyId', 'Property', true],
  ['attributeIndex', 'Index', true],
];

const captureMembers = ['id', ...BodyInput.members(), 'type', 'value', 'bits', 'handle', 'timestamped', 'timestamp', 'clientToken', 'writeIndex'];

// Two captures of the documented default, so that the reader sees what an answer looks like. Their ids are invented.
const example = [
  { id: 'first', hex: '370100050036d702009b000a003eda00000278563412ffff00000000000000000700000001000000', type: 'Int32', value: 305419896, timestamped: false, clientToken: 7, writeIndex: 1 },
  { id: 'second', hex: '370100050036d702009c000a00fa7d000001ffffff00000000000000000800000002000000', type: 'Boolean', value: true, timestamped: false, clientToken: 8, writeIndex: 2 },
];

export class Learn {
  constructor() {
    this.run = latest();
    this.list = [];
    this.captures = el('div', { class: 'captures' });
    this.problem = el('div', { 'aria-live': 'polite' });
    this.out = el('div', { class: 'result' });
    this.handout = new Handout(this.out);
    this.go = el('button', { type: 'submit', class: 'main' }, 'Learn the layout');
    this.node = el(
      'div',
      { class: 'view split' },
      el('div', { class: 'intro span-all' }, el('h1', { tabindex: '-1' }, 'Learn a layout'), el('p', {}, 'Captured writes, and what each of them wrote. What they settle becomes a layout file for ', el('span', { class: 'nowrap' }, '--layout'), '; what they leave open is said.')),
      el(
        'form',
        { class: 'learn-form', 'aria-label': 'Captures', novalidate: true, on: { submit: (e) => { e.preventDefault(); this.learn({ focus: true }); }, input: () => this.edited(), change: () => this.edited() } },
        this.captures,
        el('div', { class: 'actions' }, el('button', { type: 'button', on: { click: () => { this.add().focus(); this.edited(); } } }, 'Add a capture'), this.go),
        shareBar('learn', (withValues) => this.share(withValues)),
      ),
      el('div', { class: 'result' }, this.problem, this.handout.note, this.out),
    );
    this.idle();
    this.add();
  }

  show() {}

  idle() {
    this.handout.clear();
    fill(this.out, el('div', { class: 'empty' }, el('h2', {}, 'Give captures of what your plant writes'), el('p', {}, 'A capture of a type settles that type. A client token and a write index that are not zero settle the tail, a timestamp settles its place.'), el('div', { class: 'actions' }, el('button', { type: 'button', on: { click: () => this.use(example, { focus: true }) } }, 'Try two examples'))));
  }

  /** Puts captures in place of those that are there, and learns from them if each is whole. */
  use(captures, { focus = false } = {}) {
    for (const capture of this.list) capture.node.remove();
    this.list = [];
    for (const c of captures) this.add().load(c);
    if (!this.list.length) this.add();
    if (this.list.every((c) => c.whole)) this.learn({ focus });
    else this.idle();
  }

  /** Takes one body more, from another view, beside the captures that are there. */
  take(hex) {
    const capture = this.list.find((c) => c.input.empty) ?? this.add();
    capture.input.setText(hex, 'hex');
    this.edited();
  }

  /** A capture says something else now: what was learned was not learned from it. */
  edited() {
    this.run.drop();
    this.handout.stale('This was learned from what stood in the captures before. Learn again.');
  }

  add() {
    const capture = new CaptureForm(() => this.edited(), () => {
      this.list = this.list.filter((c) => c !== capture);
      capture.node.remove();
      this.renumber();
      this.list[0].focus();
      this.edited();
    });
    this.list.push(capture);
    this.captures.append(capture.node);
    this.renumber();
    return capture;
  }

  renumber() {
    this.list.forEach((c, i) => c.number(i + 1, this.list.length > 1));
  }

  /** With focus, the keyboard and the window go to what came of it: it stands beside or above the button, mostly out of sight. */
  async learn({ focus = false } = {}) {
    this.edited();
    fill(this.problem);
    const texts = this.list.map((c) => c.text());
    if (texts.includes(null)) return focus ? this.toFault() : undefined;
    const { dropped, problem, value } = await this.run((signal) => postJSON('v1/layout/learn', object([['captures', `[${texts.join(',')}]`]]), signal));
    if (dropped) return undefined;
    if (problem) {
      fill(this.out);
      this.handout.clear();
      fill(this.problem, problemNode(problem));
      for (const e of problem.errors) {
        const [, head, i, ...rest] = (e.pointer ?? '').split('/');
        if (head === 'captures') this.list[Number(i)]?.error(rest, e.limit ? `${e.reason} (${e.limit})` : e.reason);
      }
      return focus ? this.toFault() : undefined;
    }
    fill(this.out, value.found ? this.found(value) : this.contradicted(value));
    this.handout.open();
    const heading = this.out.querySelector('h2');
    if (focus) heading.focus();
    else announce(heading.textContent);
    return undefined;
  }

  /** Goes to the control that is wrong, or to the problem if no control is. */
  toFault() {
    const control = this.captures.querySelector('[aria-invalid]');
    if (!control) {
      this.problem.firstElementChild?.setAttribute('tabindex', '-1');
      this.problem.firstElementChild?.focus();
      return;
    }
    const fold = control.closest('details');
    if (fold) fold.open = true;
    (control.querySelector('input') ?? control).focus(); // a group of radio buttons takes no focus itself
  }

  name(id) {
    const i = this.list.findIndex((c, n) => c.id === id || (!c.id && String(n) === id));
    return i < 0 ? id : this.list[i].id || `capture ${i + 1}`;
  }

  found(doc) {
    const code = (m, v) => el('code', {}, layoutValue(m.name, v));
    const member = (m) => [el('code', {}, m.name), code(m, m.value), badge(m.standing), el('span', { class: 'as-typed' }, m.settledBy.map((id) => this.name(id)).join(', '))];
    const open = (m) => [el('code', {}, m.name), code(m, m.value), m.why, m.candidates?.length ? m.candidates.map((c) => el('span', { class: 'candidate' }, code(m, c))) : 'many'];
    return [
      el('div', { class: 'result-head' }, el('h2', { tabindex: '-1' }, `A layout reproduces ${doc.captures === 1 ? 'the capture' : `all ${doc.captures} captures`}`), el('button', { type: 'button', class: `main ${gives}`, on: { click: () => download('layout.json', doc.layout) } }, 'Download layout.json')),
      table('Settled', 'cards', ['Member', 'Value', 'Standing', 'Settled by'], doc.members.map(member)),
      doc.open.length ? [el('h3', {}, `${count(doc.open.length, 'member')} ${doc.open.length === 1 ? 'stays' : 'stay'} open`), table('Open', 'cards', ['Member', 'Kept as', 'What would settle it', 'Still possible'], doc.open.map(open))] : null,
    ];
  }

  contradicted(doc) {
    return [
      el('h2', { tabindex: '-1' }, 'No layout fits all of them'),
      el('p', { class: 'note' }, 'Check the value stated for the captures named below, and that all of them come from one plant. Else remove one of them and learn again.'),
      el(
        'ul',
        { class: 'group' },
        doc.contradictions.map((c) =>
          el('li', { class: 'problem' }, el('p', { class: 'problem-title as-typed' }, c.captures.map((id) => this.name(id)).join(' and ')), el('p', { class: 'as-typed' }, c.reason), c.member || c.offset !== undefined ? el('p', { class: 'muted' }, c.member ? ['on ', el('code', {}, c.member)] : null, c.offset !== undefined ? ` at offset ${c.offset}` : null) : null)),
      ),
    ];
  }

  share(withValues) {
    const kept = ([name]) => withValues || name === 'id' || name === 'type' || name === 'handle';
    const captures = this.list.map((c) => c.members()).filter(Boolean).map((members) => object(members.filter(kept)));
    return new URLSearchParams({ captures: `[${captures.join(',')}]` });
  }

  load(state) {
    onlyMembers(state, ['captures', 'hex']);
    if (state.has('hex')) return this.take(state.get('hex'));
    const captures = jsonMember(state, 'captures');
    if (!Array.isArray(captures)) throw new LinkError('its captures are not a list');
    captures.forEach((c, i) => {
      linkObject(c, `capture ${i + 1} of it`, captureMembers);
      checkTyped(c);
      if ('handle' in c) linkObject(c.handle, `the handle of capture ${i + 1}`, known.map(([name]) => name));
    });
    return this.use(captures);
  }

  /** Leaves nothing in the form. */
  clear() {
    this.use([]);
  }
}

class CaptureForm {
  constructor(onEdit, onRemove) {
    this.legend = el('legend', {});
    this.remove = el('button', { type: 'button', class: 'quiet', on: { click: onRemove } }, 'Remove');
    this.label = field('Its name', line({ placeholder: 'optional' }));
    this.input = new BodyInput({ label: 'Captured body', onInput: onEdit, rows: 3, hint: null });
    this.typed = new TypedValue({ typeLabel: 'Type written', valueLabel: 'Value written', onInput: onEdit });
    this.timed = choice('Timestamped', [['unknown', 'Not known'], ['false', 'No'], ['true', 'Yes']], { onChange: () => { this.time.node.hidden = this.timed.value !== 'true'; } });
    this.time = field('Timestamp', line({ class: 'code', placeholder: 'if it is known' }));
    this.time.node.hidden = true;
    this.token = field('Client token', line({ class: 'code', inputmode: 'numeric' }));
    this.index = field('Write index', line({ class: 'code', inputmode: 'numeric' }));
    this.handle = Object.fromEntries(known.map(([name, title, number]) => [name, field(title, line(number ? { class: 'code', inputmode: 'numeric' } : {}), { wide: number ? '' : 'span-3' })]));
    this.node = el(
      'fieldset',
      { class: 'form panel capture' },
      el('div', { class: 'capture-head' }, this.legend, this.remove),
      this.input.node,
      this.typed.node,
      el('div', { class: 'grid-2' }, this.token.node, this.index.node),
      el('div', { class: 'field' }, el('span', { class: 'label', 'aria-hidden': 'true' }, 'Timestamped write'), this.timed.node),
      this.time.node,
      el('details', {}, el('summary', {}, 'Name of the capture, names and ids'), el('div', { class: 'group' }, this.label.node, el('div', { class: 'grid-3' }, Object.values(this.handle).map((f) => f.node)))),
    );
  }

  /** Whether there is a body and a value: a link without values brings neither. */
  get whole() {
    return !this.input.empty && this.typed.given;
  }

  get id() {
    return this.label.control.value.trim();
  }

  number(n, removable) {
    this.legend.textContent = `Capture ${n}`;
    this.node.setAttribute('aria-label', `Capture ${n}`);
    this.remove.hidden = !removable;
  }

  focus() {
    this.input.area.focus();
  }

  /** Puts in a capture as the API's JSON has it. */
  load(c) {
    const form = ['hex', 'base64', 'text'].find((f) => f in c);
    if (form) this.input.setText(c[form], form);
    this.typed.load(c);
    this.label.control.value = c.id ?? '';
    this.token.control.value = c.clientToken ?? '';
    this.index.control.value = c.writeIndex ?? '';
    this.time.control.value = c.timestamp ?? '';
    this.timed.set(c.timestamp !== undefined ? 'true' : typeof c.timestamped === 'boolean' ? String(c.timestamped) : 'unknown');
    this.time.node.hidden = this.timed.value !== 'true';
    for (const [name] of known) this.handle[name].control.value = c.handle?.[name] ?? '';
  }

  /** The request's text of a capture, or null with the reason shown at the control. */
  text() {
    const members = this.members();
    if (members === null) return null;
    if (this.typed.given) return object(members);
    this.typed.error('value', 'State what this capture wrote.');
    return null;
  }

  /** The capture's members as far as they are stated, as [name, JSON text] pairs; null where what is typed cannot be put in a request. */
  members() {
    this.typed.clearErrors();
    this.input.field.error(null);
    for (const f of [this.label, this.time, this.token, this.index, ...Object.values(this.handle)]) f.error(null);
    try {
      const members = [...this.input.members(), ...this.typed.members()];
      if (this.id) members.push(['id', JSON.stringify(this.id)]);
      const handle = known
        .filter(([name]) => this.handle[name].control.value.trim())
        .map(([name, , number]) => [name, number ? numberJSON(this.handle[name].control.value) : JSON.stringify(this.handle[name].control.value)]);
      if (handle.length) members.push(['handle', object(handle)]);
      if (this.timed.value !== 'unknown') members.push(['timestamped', this.timed.value]);
      if (this.timed.value === 'true' && this.time.control.value.trim()) members.push(['timestamp', JSON.stringify(this.time.control.value.trim())]);
      if (this.token.control.value.trim()) members.push(['clientToken', numberJSON(this.token.control.value)]);
      if (this.index.control.value.trim()) members.push(['writeIndex', numberJSON(this.index.control.value)]);
      return members;
    } catch (err) {
      if (!(err instanceof TypedError)) throw err;
      this.typed.error('value', err.message);
      return null;
    }
  }

  error([head, next], say) {
    if (head === 'value' || head === 'type' || head === 'bits') this.typed.error(head, say);
    else if (head === 'handle' && this.handle[next]) this.handle[next].error(say);
    else if (head === 'timestamp' || head === 'timestamped') this.time.error(say);
    else if (head === 'clientToken') this.token.error(say);
    else if (head === 'writeIndex') this.index.error(say);
    else if (head === 'id') this.label.error(say);
    else this.input.field.error(say);
  }
}
