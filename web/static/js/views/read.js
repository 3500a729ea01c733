// Read: a captured body in, every field out; of a broken one as much as could be read, and where reading stopped.

import { address, hasKey, latest, postBytes, postJSON } from '../api.js';
import { BodyInput } from '../bodyinput.js';
import { BodyView } from '../bodyview.js';
import { field, line, problemNode, stopNode } from '../controls.js';
import { copyBar, curlFor, hexOf } from '../copyas.js';
import { count, debounced, el, fill } from '../dom.js';
import { framed } from '../frames.js';
import { gives } from '../handout.js';
import { broken, decoded } from '../model.js';
import { onlyMembers, shareBar } from '../share.js';
import { exactJSON, object } from '../typedvalue.js';

const samples = [
  ['Write', '37 0100 050036d702009b000a003eda0000 02 78563412 ffff 0000000000000000 00000000 00000000'],
  ['Advise', '1f 0100 33221100554477668899aabbccddeeff 0000 050036d702009b000a003eda0000 03000000'],
  ['Write complete', '00 00 50 80 00'],
  ['Suspend', '2d 0100 cd2aeeeeb276064fb4585ca02df7a893 01000500010002000100 6900 0a00 4792 0000 03000000'],
  ['Broken off', '37 0100 050036d702009b000a003eda0000 02 7856'],
];

export class Read {
  constructor(bus) {
    this.bus = bus;
    this.run = latest();
    this.soon = debounced(150, () => this.refresh());
    const changed = () => this.changed();
    this.input = new BodyInput({ label: 'Message body', onInput: changed, rows: 7 });
    this.objectName = field('Object name', line({ on: { input: changed } }));
    this.attributeName = field('Attribute name', line({ on: { input: changed } }));
    this.problem = el('div', { 'aria-live': 'polite' });
    this.notes = el('div', { class: 'group' });
    this.compose = el('button', { type: 'button', class: gives, on: { click: () => this.bus.open('compose', new URLSearchParams({ write: exactJSON(this.shown.doc.write) })) } }, 'Compose');
    const tools = el(
      'div',
      { class: 'bars' },
      copyBar(() => this.shown && { bytes: this.shown.bytes, curl: this.curl() }),
      shareBar('read', (withValues) => this.share(withValues)),
      el(
        'div',
        { class: 'bar' },
        el('span', { class: 'bar-name', 'aria-hidden': 'true' }, 'Use in'),
        this.compose,
        el('button', { type: 'button', class: gives, on: { click: () => this.pass('compare', 'left-') } }, 'Compare'),
        (this.replay = el('button', { type: 'button', class: gives, on: { click: () => this.pass('replay', '') } }, 'Replay')),
      ),
    );
    this.view = new BodyView({ label: 'The body that was read', tools });
    this.view.node.prepend(this.notes); // in the view, so that what the notes offer is held back with the rest
    this.empty = el('div', { class: 'empty' }, el('h2', {}, 'Paste a body, or try one'), el('p', {}, 'A body that breaks off is read as far as it goes.'), el('div', { class: 'actions' }, samples.map(([title, text]) => el('button', { type: 'button', on: { click: () => { this.input.setText(text); this.input.area.focus(); } } }, title))));
    this.node = el(
      'div',
      { class: 'view split' },
      el('div', { class: 'intro span-all' }, el('h1', { tabindex: '-1' }, 'Read a body'), el('p', {}, 'Writes, item control, subscription status, data updates, operation status and suspend.')),
      el('form', { class: 'form panel', 'aria-label': 'The body', novalidate: true, on: { submit: (e) => e.preventDefault() } }, this.input.node, el('fieldset', {}, el('legend', {}, 'Names, if you know them'), el('p', { class: 'hint' }, 'A name cannot be read from a signature, but it can be checked against one.'), el('div', { class: 'grid-2' }, this.objectName.node, this.attributeName.node))),
      el('div', { class: 'result' }, this.problem, this.empty, this.view.node),
    );
    addEventListener('mxrest:key', () => this.refresh());
  }

  show() {}

  names() {
    return [['object', this.objectName.control.value], ['attribute', this.attributeName.control.value]].filter(([, v]) => v !== '');
  }

  /** Another body or other names: no answer to the ones before may be taken for theirs. */
  changed() {
    this.run.drop();
    this.view.handout.wait();
    this.soon();
  }

  async refresh() {
    this.run.drop();
    this.view.handout.wait();
    fill(this.problem);
    this.input.field.error(null);
    if (this.input.empty) {
      this.view.node.hidden = true;
      this.empty.hidden = false;
      fill(this.notes);
      this.shown = null;
      return;
    }
    const { dropped, problem, value } = await this.run((signal) => this.decode(signal));
    if (dropped) return;
    this.empty.hidden = true;
    if (problem) return this.failed(problem);
    this.input.tell(value.form);
    this.shown = decoded(value);
    this.view.show(this.shown);
    this.compose.hidden = !value.write;
    this.replay.hidden = !value.write;
    fill(this.notes, notes(value));
  }

  decode(signal) {
    if (this.input.octets) {
      const query = new URLSearchParams(this.names());
      return postBytes(`v1/decode${query.size ? `?${query}` : ''}`, this.input.octets, signal);
    }
    return postJSON('v1/decode/text', object([...this.input.members(), ...this.names().map(([k, v]) => [k, JSON.stringify(v)])]), signal);
  }

  failed(problem) {
    fill(this.notes);
    this.input.tell(problem.doc.form ?? null);
    const body = broken(problem);
    fill(this.problem, body ? stopNode(problem) : problemNode(problem));
    if (!body) {
      this.view.node.hidden = true;
      this.shown = null;
      if (problem.errors[0]) this.input.field.error(problem.errors[0].reason);
      return;
    }
    this.shown = body;
    this.compose.hidden = true;
    this.replay.hidden = true;
    this.view.show(body);
    fill(this.notes, this.ways(body, problem));
  }

  /** Ways on from a body that does not decode. */
  ways(body, problem) {
    const frames = framed(body.bytes);
    if (frames) {
      const first = () => { this.input.setText(hexOf(frames[0]), 'hex'); this.input.area.focus(); };
      return el(
        'div',
        { class: 'note group' },
        el('p', {}, `These bytes read as ${count(frames.length, 'frame')}, each a length of four bytes and a body of that length${frames.length === 1 ? '' : ', to the end'}. A length is no part of a message.`),
        el('div', { class: 'actions' }, el('button', { type: 'button', class: gives, on: { click: first } }, frames.length === 1 ? 'Read the body in it' : 'Read the first body')),
      );
    }
    if (problem.errors[0]?.offset !== 0) return null;
    const button = (where, text) => el('button', { type: 'button', class: gives, on: { click: () => this.pass(where, '') } }, text);
    return el(
      'div',
      { class: 'note group' },
      el('p', {}, 'If this is a write of a plant with another layout: learn that layout from several captures (or start the server with its ', el('code', { class: 'nowrap' }, '--layout'), '), or replay this one with another value.'),
      el('div', { class: 'actions' }, button('learn', 'Learn from this body'), button('replay', 'Replay this body')),
    );
  }

  curl() {
    const { doc } = this.shown;
    if (!doc.exact) return null;
    if (doc.write) return curlFor({ url: address('v1/write'), json: exactJSON(doc.write), keyed: hasKey() });
    if (doc.itemControl) return curlFor({ url: address('v1/item-control'), json: exactJSON(doc.itemControl), keyed: hasKey() });
    return null;
  }

  pass(where, prefix) {
    if (this.shown) this.bus.open(where, new URLSearchParams({ [`${prefix}hex`]: hexOf(this.shown.bytes) }));
  }

  share(withValues) {
    const state = new URLSearchParams(this.names());
    if (withValues) this.input.share(state);
    return state;
  }

  load(state) {
    onlyMembers(state, [...BodyInput.members(), 'object', 'attribute']);
    this.put(state);
  }

  /** Leaves nothing in the form. */
  clear() {
    this.input.setText('');
    this.put(new URLSearchParams());
  }

  put(state) {
    this.objectName.control.value = state.get('object') ?? '';
    this.attributeName.control.value = state.get('attribute') ?? '';
    if (!this.input.load(state)) this.refresh();
  }
}

/** What there is to say of the whole: exactness, names against signatures, status words, records. */
function notes(doc) {
  const out = [];
  if (!doc.exact) out.push(el('p', { class: 'note' }, 'Encoding what was read gives other bytes: something in this body is not written the way this server writes it.'));
  for (const [what, check] of Object.entries(doc.names ?? {})) {
    const signature = (n) => `0x${n.toString(16).padStart(4, '0')}`;
    out.push(
      el(
        'p',
        { class: `note ${check.matches ? 'good' : 'bad'}` },
        `The ${what} name `,
        el('strong', { class: 'as-typed' }, check.name),
        check.matches ? ` has the signature in the body, ${signature(check.bodySignature)}.` : ` has signature ${signature(check.nameSignature)}; the body holds ${signature(check.bodySignature)}. They do not match.`,
      ),
    );
  }
  if (doc.operationStatus) {
    const { success, meaning } = doc.operationStatus;
    out.push(el('p', { class: `note ${success ? 'good' : ''}` }, success ? `Success: ${meaning}.` : `Not known to be a success: the meaning is ${meaning}.`));
  }
  return out;
}
