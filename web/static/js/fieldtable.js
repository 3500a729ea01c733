// The field list beside the byte sheet: one row a field, the same two-way highlight. Arrow keys walk the rows.

import { el, fill } from './dom.js';
import { standingClass, standings } from './families.js';

const shownAtFirst = 200;
const shownMore = 2000;

/** A standing as a badge: a mark of its own shape, and the word. */
export function badge(standing) {
  const known = standingClass(standing);
  if (known === 'unmarked') return el('span', { class: 'badge' }, standing);
  return el('span', { class: `badge is-${known}`, title: standings[known] }, el('span', { class: 'badge-mark', 'aria-hidden': 'true' }), standing);
}

export class FieldTable {
  constructor({ label, onHover, onPick }) {
    this.onHover = onHover;
    this.onPick = onPick;
    this.rows = [];
    this.limit = shownAtFirst;
    this.tbody = el('tbody', { role: 'rowgroup' });
    this.more = el('button', { class: 'quiet', type: 'button', hidden: true, on: { click: () => { this.limit += shownMore; this.show(this.body); } } });
    const head = ['Offset', 'Length', 'Field', 'Raw', 'Value', 'Standing'];
    this.node = el(
      'div',
      { class: 'fields' },
      el(
        'table',
        { role: 'table', class: 'field-table' },
        el('caption', { class: 'hidden-text' }, label),
        el('thead', { role: 'rowgroup' }, el('tr', { role: 'row' }, head.map((h) => el('th', { scope: 'col', role: 'columnheader' }, h)))),
        this.tbody,
      ),
      this.more,
    );
    this.tbody.addEventListener('pointerover', (e) => this.onHover(indexOf(e.target)));
    this.tbody.addEventListener('pointerleave', () => this.onHover(-1));
    this.tbody.addEventListener('focusin', (e) => this.onHover(indexOf(e.target)));
    this.tbody.addEventListener('focusout', () => this.onHover(-1));
    this.tbody.addEventListener('click', (e) => {
      if (String(getSelection())) return; // the reader is selecting text
      const index = indexOf(e.target);
      if (index >= 0) this.onPick(index);
    });
    this.tbody.addEventListener('keydown', (e) => this.key(e));
  }

  show(body) {
    if (this.body !== body && (!this.body || body.fields.length < shownAtFirst)) this.limit = shownAtFirst;
    this.body = body;
    const focused = indexOf(document.activeElement ?? document.body, this.tbody);
    const shown = body.fields.slice(0, this.limit);
    this.rows = shown.map((field, index) => row(field, index));
    fill(this.tbody, this.rows);
    const first = this.rows[Math.max(0, Math.min(focused, this.rows.length - 1))];
    if (first) {
      const button = first.querySelector('button');
      button.tabIndex = 0;
      if (focused >= 0) button.focus({ preventScroll: true });
    }
    this.more.hidden = shown.length === body.fields.length;
    const left = body.fields.length - shown.length;
    this.more.textContent = left <= shownMore ? `Show the other ${left.toLocaleString('en')} fields` : `Show ${shownMore.toLocaleString('en')} more of ${left.toLocaleString('en')} fields`;
  }

  light(index) {
    this.lit?.classList.remove('hot');
    this.lit = this.rows[index];
    this.lit?.classList.add('hot');
  }

  pick(index) {
    if (this.picked) {
      this.picked.classList.remove('picked');
      this.picked.querySelector('button').setAttribute('aria-pressed', 'false');
    }
    this.picked = this.rows[index];
    if (this.picked) {
      this.picked.classList.add('picked');
      this.picked.querySelector('button').setAttribute('aria-pressed', 'true');
    }
  }

  key(event) {
    const at = indexOf(event.target);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: this.rows.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = this.rows[to]?.querySelector('button');
    if (!next) return;
    event.target.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }
}

function indexOf(node, within = null) {
  if (within && !within.contains(node)) return -1;
  const tr = node.closest?.('tr[data-f]');
  return tr ? Number(tr.dataset.f) : -1;
}

function row(field, index) {
  const cell = (name, ...children) => el('td', { role: 'cell', class: `c-${name}` }, children);
  return el(
    'tr',
    { role: 'row', class: `fam-${field.family} is-${field.mark}`, data: { f: index } },
    cell('offset', field.offset),
    cell('length', field.length),
    el('th', { scope: 'row', role: 'rowheader', class: 'c-name' }, el('button', { type: 'button', tabindex: '-1', 'aria-pressed': 'false' }, el('span', { class: 'swatch', 'aria-hidden': 'true' }), field.label)),
    cell('hex', el('code', {}, clip(spaced(field.hex), 96))),
    cell('value', el('span', { class: 'value' }, clip(field.value, 400)), field.how ? el('span', { class: 'how' }, field.how) : null),
    cell('standing', badge(field.standing)),
  );
}

/** Hex digits in pairs. */
export function spaced(hex) {
  return (hex.match(/../g) ?? []).join(' ');
}

/** Text cut at n characters, saying so. */
export function clip(text, n) {
  const s = String(text);
  return s.length > n ? `${s.slice(0, n)}… (${s.length.toLocaleString('en')} characters)` : s;
}
