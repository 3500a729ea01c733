// Compose: a write on the left, its bytes on the right as you type.

import { address, hasKey, latest, postJSON } from '../api.js';
import { BodyView } from '../bodyview.js';
import { problemNode } from '../controls.js';
import { copyBar, curlFor } from '../copyas.js';
import { debounced, el, fill } from '../dom.js';
import { gives } from '../handout.js';
import { explained } from '../model.js';
import { onlyMembers, shareBar } from '../share.js';
import { WriteForm, linkWrite } from '../writeform.js';

const name = 'compose';
const lastGood = 'This is the last good body, not what stands in the form now: it is not given out.';

export class Compose {
  constructor(bus) {
    this.bus = bus;
    this.run = latest();
    this.soon = debounced(90, () => this.refresh());
    this.form = new WriteForm({ onInput: () => this.changed() });
    this.shown = null;
    this.problem = el('div', { 'aria-live': 'polite' });
    const tools = el(
      'div',
      { class: 'bars' },
      copyBar(() => this.shown && { bytes: this.shown.bytes, curl: curlFor({ url: address('v1/write'), json: this.shown.request, keyed: hasKey() }) }),
      shareBar(name, (withValues) => this.share(withValues)),
      el(
        'div',
        { class: 'bar' },
        el('span', { class: 'bar-name', 'aria-hidden': 'true' }, 'Use in'),
        el('button', { type: 'button', class: gives, on: { click: () => this.send('read') } }, 'Read'),
        el('button', { type: 'button', class: gives, on: { click: () => this.send('compare') } }, 'Compare'),
      ),
    );
    this.view = new BodyView({ label: 'The write body', tools });
    // A form without a value is not wrong yet: a link without values opens so, and a link that could not be read.
    this.empty = el('div', { class: 'empty', hidden: true }, el('h2', {}, 'No value yet'), el('p', {}, 'Give a value, and the body appears here.'));
    this.node = el(
      'div',
      { class: 'view split' },
      el('div', { class: 'intro span-all' }, el('h1', { tabindex: '-1' }, 'Compose a write'), el('p', {}, 'The body appears as you type. Every byte says what it is and how well that is known.')),
      this.form.node,
      el('div', { class: 'result' }, this.problem, this.empty, this.view.node),
    );
    addEventListener('mxrest:key', () => this.started && this.refresh());
  }

  show() {
    if (!this.started) this.refresh();
    this.started = true;
  }

  /** The form says something else now: no answer to what it said before may be taken for its body. */
  changed() {
    this.run.drop();
    this.view.handout.wait();
    this.soon();
  }

  async refresh() {
    this.run.drop();
    this.view.handout.wait();
    this.empty.hidden = this.form.typed.given;
    if (!this.form.typed.given) {
      this.form.clearErrors();
      fill(this.problem);
      this.view.node.hidden = true;
      this.shown = null;
      return undefined;
    }
    const request = this.form.text();
    if (request === null) return this.view.handout.stale(lastGood);
    const { dropped, problem, value } = await this.run((signal) => postJSON('v1/write/explain', request, signal));
    if (dropped) return undefined;
    if (problem) {
      this.form.showErrors(problem.errors);
      fill(this.problem, problemNode(problem, { title: this.shown ? 'Not encoded: the bytes below are the last good ones' : 'Not encoded' }));
      return this.view.handout.stale(lastGood);
    }
    fill(this.problem);
    this.shown = explained(value, [value.type]);
    this.shown.request = request;
    return this.view.show(this.shown);
  }

  send(where) {
    if (!this.shown) return;
    this.bus.open(where, new URLSearchParams({ [where === 'compare' ? 'left-hex' : 'hex']: this.shown.doc.hex }));
  }

  share(withValues) {
    const write = this.form.text();
    return write === null ? null : new URLSearchParams({ write: withValues ? write : withoutValues(write) });
  }

  load(state) {
    onlyMembers(state, ['write']);
    this.put(linkWrite(state));
  }

  /** Leaves nothing in the form. */
  clear() {
    this.put({});
  }

  put(write) {
    this.form.load(write);
    this.started = true;
    this.refresh();
  }
}

/** The write without what was written: value, bits, timestamp, token and index stay behind. */
function withoutValues(text) {
  const { type, handle, handleBytes } = JSON.parse(text);
  return JSON.stringify({ type, handle, handleBytes });
}
