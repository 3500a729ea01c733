// The bench: what encoding costs, counted, beside what the reference publishes.

import { getJSON, latest } from '../api.js';
import { problemNode } from '../controls.js';
import { el, fill, table } from '../dom.js';
import { onlyMembers } from '../share.js';

export class Bench {
  constructor() {
    this.run = latest();
    this.out = el('div', { class: 'result' });
    this.again = el('button', { type: 'button', on: { click: () => this.show(true) } }, 'Ask again');
    this.node = el(
      'div',
      { class: 'view' },
      el('div', { class: 'intro' }, el('h1', { tabindex: '-1' }, 'What encoding costs'), el('p', {}, 'Allocations and bytes are counted exactly, in a process of their own. The second bar is what the Rust reference publishes for the same work.')),
      this.out,
    );
    addEventListener('mxrest:key', () => this.shown && this.show(true));
  }

  async show(force = false) {
    if (this.shown && !force) return;
    this.shown = true;
    fill(this.out, el('p', { class: 'note', role: 'status' }, 'Counting. A first run takes some seconds.'));
    const { dropped, problem, value } = await this.run((signal) => getJSON('bench.json', signal));
    if (dropped) return;
    if (problem) {
      this.shown = false;
      fill(this.out, problemNode(problem), el('div', { class: 'actions' }, this.again));
      return;
    }
    this.received = Date.now();
    this.doc = value;
    this.render();
  }

  render() {
    const { doc } = this;
    const compared = doc.rows.filter((r) => r.reference);
    const others = doc.rows.filter((r) => !r.reference);
    this.age = el('span', {});
    fill(
      this.out,
      el(
        'div',
        { class: 'result-head' },
        el('h2', {}, doc.gate.holds ? 'The gate holds' : 'The gate does not hold'),
        el('p', { class: 'muted' }, 'Counted ', this.age, `, ${doc.iterations.toLocaleString('en')} iterations a row after ${doc.warmup.toLocaleString('en')} to warm up`),
        this.again,
      ),
      doc.gate.holds ? null : el('ul', { class: 'problem' }, doc.gate.failures.map((f) => el('li', {}, f))),
      el('ul', { class: 'legend' }, el('li', {}, el('span', { class: 'key ours' }), 'mxrest'), el('li', {}, el('span', { class: 'key theirs' }), 'the reference')),
      compared.length ? comparedTable(compared) : null,
      others.length ? [el('h3', {}, 'Also measured'), plainTable(others)] : null,
      doc.anchors.length ? [el('h3', {}, 'Plain work in the same run, to compare times with'), anchors(doc.anchors)] : null,
      el('p', { class: 'muted' }, [doc.version && `mxrest ${doc.version}`, doc.go, `${doc.os}/${doc.arch}`, doc.cpu].filter(Boolean).join(', ')),
    );
    this.tick();
    clearInterval(this.timer);
    this.timer = setInterval(() => this.tick(), 5000);
  }

  tick() {
    const seconds = Math.round(this.doc.ageSeconds + (Date.now() - this.received) / 1000);
    this.age.textContent = ago(seconds);
  }

  load(state) {
    onlyMembers(state, []);
  }

  clear() {}
}

function ago(s) {
  if (s < 5) return 'just now';
  if (s < 90) return `${s} seconds ago`;
  if (s < 5400) return `${Math.round(s / 60)} minutes ago`;
  return `${Math.round(s / 3600)} hours ago`;
}

/** The rows that the reference has too, with bars. */
function comparedTable(rows) {
  const most = (pick) => Math.max(1, ...rows.flatMap((r) => [pick(r), pick(r.reference)]));
  const allocs = most((r) => r.allocsPerOp);
  const bytes = most((r) => r.bytesPerOp);
  return table('Beside the reference', 'cards bench-table', ['Scenario', 'Allocations per operation', 'Bytes per operation', 'Time'], rows.map((r) => [
    scenario(r),
    pair(r.allocsPerOp, r.reference.allocsPerOp, allocs),
    pair(r.bytesPerOp, r.reference.bytesPerOp, bytes),
    timeCell(r),
  ]));
}

/** The other rows, as numbers. */
function plainTable(rows) {
  const n = (x) => el('span', { class: x === 0 ? 'n zero' : 'n' }, number(x));
  return table('Also measured', 'cards bench-table numbers', ['Scenario', 'Allocations', 'Bytes', 'Frees', 'Time'], rows.map((r) => [scenario(r), n(r.allocsPerOp), n(r.bytesPerOp), n(r.deallocsPerOp), timeCell(r)]));
}

function scenario(r) {
  return [r.scenario, el('span', { class: 'how' }, r.includes)];
}

function timeCell(r) {
  return el('span', { class: 'time' }, el('span', {}, time(r.nsPerOp.median)), el('span', { class: 'how' }, `${time(r.nsPerOp.min)} to ${time(r.nsPerOp.max)}`));
}

function pair(ours, theirs, most) {
  return el('div', { class: 'pair-bars' }, bar(ours, most, 'ours', 'mxrest'), theirs === undefined ? null : bar(theirs, most, 'theirs', 'reference'));
}

function bar(n, most, who, name) {
  const fillNode = el('span', { class: `fill ${who}` });
  fillNode.style.inlineSize = `${(100 * Math.min(n, most)) / most}%`;
  return el('div', { class: 'bar-line' }, el('span', { class: 'track', 'aria-hidden': 'true' }, fillNode), el('span', { class: `n ${who}` }, el('span', { class: 'hidden-text' }, `${name} `), number(n)));
}

function number(n) {
  return n === Math.round(n) ? n.toLocaleString('en') : n.toLocaleString('en', { maximumFractionDigits: n < 0.01 ? 4 : 2 });
}

function time(ns) {
  if (ns < 1000) return `${ns < 10 ? ns.toFixed(1) : Math.round(ns)} ns`;
  if (ns < 1e6) return `${(ns / 1e3).toFixed(1)} µs`;
  return `${(ns / 1e6).toFixed(1)} ms`;
}

function anchors(list) {
  return el('table', { class: 'plain-table anchors' }, el('tbody', {}, list.map((a) => el('tr', {}, el('th', { scope: 'row' }, a.name), el('td', { class: 'time' }, time(a.nsPerOp.median), ' ', el('span', { class: 'muted' }, `${time(a.nsPerOp.min)} to ${time(a.nsPerOp.max)}`))))));
}
