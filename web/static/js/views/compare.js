// Compare: two bodies, field by field.

import { latest, postJSON } from '../api.js';
import { BodyInput } from '../bodyinput.js';
import { ByteGrid } from '../bytegrid.js';
import { problemNode } from '../controls.js';
import { count, debounced, el, fill } from '../dom.js';
import { clip, spaced } from '../fieldtable.js';
import { Handout } from '../handout.js';
import { shownField, side } from '../model.js';
import { onlyMembers, shareBar } from '../share.js';
import { object } from '../typedvalue.js';

const samples = [
  ['Another value', '370100050036d702009b000a003eda00000278563412ffff00000000000000000000000000000000', '370100050036d702009b000a003eda00000207000000ffff00000000000000000000000000000000'],
  ['Normal and timestamped', '370100050036d702009b000a003eda00000278563412ffff00000000000000000700000001000000', '370100050036d702009b000a003eda00000278563412000000c08976453cda010700000002000000'],
];

const states = { same: 'same', differs: 'differs', leftOnly: 'only in the first', rightOnly: 'only in the second' };

export class Compare {
  constructor() {
    this.run = latest();
    this.soon = debounced(150, () => this.refresh());
    const changed = () => this.changed();
    this.left = new BodyInput({ label: 'First body', onInput: changed, rows: 4, hint: null });
    this.right = new BodyInput({ label: 'Second body', onInput: changed, rows: 4, hint: null });
    this.problem = el('div', { 'aria-live': 'polite' });
    this.onlyDiffering = el('input', { type: 'checkbox', on: { change: () => this.table.classList.toggle('only-differing', this.onlyDiffering.checked) } });
    this.summary = el('h2', {});
    this.grids = {};
    this.sheets = {};
    for (const which of ['left', 'right']) {
      this.grids[which] = new ByteGrid({ label: which === 'left' ? 'First body: bytes' : 'Second body: bytes', onHover: (i) => this.hover(which, i), onPick: () => {} });
      this.sheets[which] = el('div', { class: 'compare-side' }, el('h3', {}), this.grids[which].node);
    }
    this.tbody = el('tbody', {});
    this.table = el(
      'table',
      { class: 'diff-table' },
      el('caption', { class: 'hidden-text' }, 'The fields of both bodies'),
      el('thead', {}, el('tr', {}, ['Field', 'First', 'Second', 'Verdict'].map((h) => el('th', { scope: 'col' }, h)))),
      this.tbody,
    );
    this.tbody.addEventListener('pointerover', (e) => this.lightRow(e.target.closest('tr')));
    this.tbody.addEventListener('pointerleave', () => this.lightRow(null));
    this.tbody.addEventListener('focusin', (e) => this.lightRow(e.target.closest('tr')));
    this.result = el(
      'div',
      { class: 'result', hidden: true },
      el('div', { class: 'result-head' }, this.summary, el('label', { class: 'check plain' }, this.onlyDiffering, 'Only what differs')),
      el('div', { class: 'sheets' }, this.sheets.left, this.sheets.right),
      el('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Comparison, field by field' }, this.table),
      el('div', { class: 'bars' }, shareBar('compare', (withValues) => this.share(withValues))),
    );
    this.handout = new Handout(this.result);
    this.result.prepend(this.handout.note);
    this.empty = el('div', { class: 'empty' }, el('h2', {}, 'Paste two bodies, or try two'), el('div', { class: 'actions' }, samples.map(([title, left, right]) => el('button', { type: 'button', on: { click: () => { this.left.setText(left); this.right.setText(right); this.left.area.focus(); } } }, title))));
    this.node = el(
      'div',
      { class: 'view' },
      el('div', { class: 'intro' }, el('h1', { tabindex: '-1' }, 'Compare two bodies'), el('p', {}, 'Field by field, wherever the fields stand. What differs is outlined.')),
      el('form', { class: 'form panel pair', 'aria-label': 'The two bodies', novalidate: true, on: { submit: (e) => e.preventDefault() } }, this.left.node, this.right.node),
      this.problem,
      this.empty,
      this.result,
    );
    addEventListener('mxrest:key', () => this.refresh());
  }

  show() {}

  /** Another body on one side: a comparison of the ones before may not be taken for theirs. */
  changed() {
    this.run.drop();
    this.handout.wait();
    this.soon();
  }

  async refresh() {
    this.run.drop();
    this.handout.wait();
    fill(this.problem);
    this.left.field.error(null);
    this.right.field.error(null);
    this.empty.hidden = !(this.left.empty && this.right.empty);
    if (this.left.empty || this.right.empty) {
      this.result.hidden = true;
      return;
    }
    const request = object([['left', object(this.left.members())], ['right', object(this.right.members())]]);
    const { dropped, problem, value } = await this.run((signal) => postJSON('v1/diff', request, signal));
    if (dropped) return;
    this.result.hidden = Boolean(problem);
    if (problem) {
      for (const e of problem.errors) {
        if (e.pointer?.startsWith('/left')) this.left.field.error(e.reason);
        if (e.pointer?.startsWith('/right')) this.right.field.error(e.reason);
      }
      fill(this.problem, problemNode(problem));
      return;
    }
    this.left.tell(value.left.form);
    this.right.tell(value.right.form);
    this.summary.textContent = value.same ? 'The same bytes' : `${count(value.differences, 'field')} ${value.differences === 1 ? 'differs' : 'differ'}`;
    for (const which of ['left', 'right']) {
      const body = side(value, which);
      const marks = new Set();
      for (const f of value.fields) {
        const mine = f[which];
        if (f.state !== 'same' && mine) for (let i = 0; i < mine.length; i += 1) marks.add(mine.offset + i);
      }
      this.sheets[which].querySelector('h3').textContent = `${which === 'left' ? 'First' : 'Second'}: ${body.title}, ${count(body.bytes.length, 'byte')}`;
      this.grids[which].show(body, marks);
      this.grids[which].bodyPaths = body.fields.map((f) => f.name);
    }
    this.rows = value.fields.slice(0, 2000).map(row);
    fill(this.tbody, this.rows);
    this.handout.open();
  }

  hover(which, index) {
    const path = this.grids[which].bodyPaths?.[index];
    this.light(path);
  }

  lightRow(tr) {
    this.light(tr?.dataset.path);
  }

  light(path) {
    for (const which of ['left', 'right']) {
      this.grids[which].light(path === undefined ? -1 : (this.grids[which].bodyPaths ?? []).indexOf(path));
    }
    for (const tr of this.rows ?? []) tr.classList.toggle('hot', path !== undefined && tr.dataset.path === path);
  }

  share(withValues) {
    const state = new URLSearchParams();
    if (withValues) {
      this.left.share(state, 'left-');
      this.right.share(state, 'right-');
    }
    return state;
  }

  load(state) {
    onlyMembers(state, [...BodyInput.members('left-'), ...BodyInput.members('right-')]);
    this.left.load(state, 'left-');
    this.right.load(state, 'right-');
    this.refresh();
  }

  /** Leaves nothing in the form. */
  clear() {
    this.left.setText('');
    this.right.setText('');
  }
}

function row(f) {
  const left = f.left && shownField(f.left);
  const right = f.right && shownField(f.right);
  const { family, mark } = left ?? right;
  const cell = (x) =>
    el('td', {}, x ? [el('span', { class: 'value' }, clip(x.value, 200)), el('span', { class: 'how' }, el('code', {}, clip(spaced(x.hex), 60)), el('span', { class: 'at' }, `at ${x.offset}`))] : el('span', { class: 'muted' }, 'not there'));
  return el(
    'tr',
    { class: `fam-${family} is-${mark} state-${f.state}`, data: { path: f.path } },
    el('th', { scope: 'row' }, el('span', { class: 'swatch', 'aria-hidden': 'true' }), ' ', (left ?? right).label),
    cell(left),
    cell(right),
    el('td', { class: 'verdict' }, states[f.state] ?? f.state),
  );
}
