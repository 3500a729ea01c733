// The byte sheet: a body as hex in rows of 16 (8 where there is no room), each field's bytes joined, coloured by family, hatched where assumed, with the field's name
// underneath. Keyboard: arrows walk the bytes, Home and End the row, Page Up and Page Down the fields.

import { el, fill } from './dom.js';

const shownAtFirst = 1024; // a body of 64 KB would be 65,000 cells
const shownMore = 4096;

/**
 * Makes a byte sheet. onHover(fieldIndex or -1) and onPick(fieldIndex) tell the pairing view (bodyview.js) what the reader points at.
 */
export class ByteGrid {
  constructor({ label, onHover, onPick }) {
    this.onHover = onHover;
    this.onPick = onPick;
    this.body = null;
    this.cols = 16;
    this.limit = shownAtFirst;
    this.focusAt = 0;
    this.segments = new Map(); // field index -> its segments
    this.rows = el('div', { class: 'sheet-rows', role: 'grid', 'aria-label': label, 'aria-readonly': 'true' });
    this.more = el('button', { class: 'quiet sheet-more', type: 'button', hidden: true, on: { click: () => this.showMore() } });
    this.node = el('div', { class: 'sheet' }, this.rows, this.more);
    this.rows.addEventListener('keydown', (e) => this.key(e));
    this.rows.addEventListener('pointerover', (e) => this.onHover(this.fieldAt(e.target)));
    this.rows.addEventListener('pointerleave', () => this.onHover(-1));
    this.rows.addEventListener('focusin', (e) => {
      this.onHover(this.fieldAt(e.target));
    });
    this.rows.addEventListener('focusout', () => this.onHover(-1));
    this.rows.addEventListener('click', (e) => {
      const cell = e.target.closest('[data-i]');
      if (cell) this.moveTo(Number(cell.dataset.i));
      const field = this.fieldAt(e.target);
      if (field >= 0) this.onPick(field);
    });
    new ResizeObserver(() => this.fit()).observe(this.node);
  }

  /** Shows a body; bytes that differ from the body before flash once. marks, if given, is a set of offsets to outline. */
  show(body, marks = null) {
    const before = this.body?.bytes ?? null;
    if (!this.body || Math.abs(body.bytes.length - this.body.bytes.length) > 64) this.limit = shownAtFirst;
    this.body = body;
    this.marks = marks;
    this.focusAt = Math.min(this.focusAt, Math.max(0, body.bytes.length - 1));
    this.render(before);
  }

  showMore() {
    const from = this.limit;
    this.limit += shownMore;
    this.render(null);
    this.moveTo(from);
  }

  fit() {
    const wide = this.node.clientWidth;
    if (!wide) return;
    const cols = wide >= 560 ? 16 : 8;
    this.node.classList.toggle('tight', wide / cols < 46); // narrower letters under narrow bytes
    if (cols !== this.cols) {
      this.cols = cols;
      if (this.body) this.render(null);
    }
  }

  render(before) {
    const { bytes, fields } = this.body;
    const hadFocus = this.rows.contains(document.activeElement);
    const end = Math.min(bytes.length, this.limit);
    const owner = owners(fields, end);
    const runs = longestRuns(owner, this.cols, end);
    this.segments.clear();
    const out = [ruler(this.cols)];
    for (let row = 0; row < end; row += this.cols) {
      const cells = [];
      const stop = Math.min(row + this.cols, end);
      for (let at = row; at < stop; ) {
        let to = at + 1;
        while (to < stop && owner[to] === owner[at]) to += 1;
        cells.push(this.segment(owner[at], at, to, runs, before));
        at = to;
      }
      out.push(el('div', { class: 'sheet-row', role: 'row' }, el('span', { class: 'sheet-offset', role: 'rowheader' }, row), cells));
    }
    this.rows.className = `sheet-rows cols-${this.cols}`;
    this.rows.setAttribute('aria-colcount', this.cols + 1);
    fill(this.rows, out);
    const left = bytes.length - end;
    this.more.hidden = left === 0;
    this.more.textContent = left <= shownMore ? `Show the other ${left.toLocaleString('en')} bytes` : `Show ${shownMore.toLocaleString('en')} more of ${left.toLocaleString('en')} bytes`;
    const cell = this.cell(this.focusAt);
    if (cell) {
      cell.tabIndex = 0;
      if (hadFocus) cell.focus({ preventScroll: true });
    }
  }

  segment(index, at, to, runs, before) {
    const { bytes, fields } = this.body;
    const field = fields[index];
    const cells = [];
    for (let i = at; i < to; i += 1) {
      const changed = before && i < before.length && before[i] !== bytes[i];
      cells.push(
        el('span', {
          class: `byte${changed ? ' changed' : ''}${this.marks?.has(i) ? ' marked' : ''}`,
          role: 'gridcell',
          tabindex: '-1',
          data: { i },
          'aria-label': `${hex(bytes[i], 2)}, offset ${i}, ${field.label}${this.marks?.has(i) ? ', differs' : ''}`,
        }, hex(bytes[i], 2)),
      );
    }
    const starts = at === field.offset;
    const ends = to === field.offset + field.length;
    const node = el(
      'span',
      { class: `seg fam-${field.family} is-${field.mark}${starts ? ' starts' : ''}${ends ? ' ends' : ''}`, role: 'presentation', data: { f: index, n: to - at } },
      el('span', { class: 'seg-bytes', role: 'presentation' }, cells),
      el('span', { class: 'seg-name', 'aria-hidden': 'true' }, runs.get(index) === at ? field.label : ''),
    );
    node.style.setProperty('--n', to - at); // CSSOM, which the policy allows; a style attribute in markup it would not
    if (!this.segments.has(index)) this.segments.set(index, []);
    this.segments.get(index).push(node);
    return node;
  }

  /** Lights up a field's bytes, or none. */
  light(index) {
    for (const node of this.lit ?? []) node.classList.remove('hot');
    this.lit = this.segments.get(index) ?? [];
    for (const node of this.lit) node.classList.add('hot');
    this.rows.classList.toggle('has-hot', this.lit.length > 0);
  }

  /** Marks the picked field's bytes. */
  pick(index) {
    for (const node of this.picked ?? []) node.classList.remove('picked');
    this.picked = this.segments.get(index) ?? [];
    for (const node of this.picked) node.classList.add('picked');
  }

  fieldAt(node) {
    const seg = node.closest?.('[data-f]');
    return seg ? Number(seg.dataset.f) : -1;
  }

  cell(i) {
    return this.rows.querySelector(`[data-i="${i}"]`);
  }

  key(event) {
    const now = this.focusAt;
    const last = Math.min(this.body?.bytes.length ?? 0, this.limit) - 1;
    const field = this.fieldAt(event.target);
    const step = {
      ArrowRight: now + 1,
      ArrowLeft: now - 1,
      ArrowDown: now + this.cols,
      ArrowUp: now - this.cols,
      Home: event.ctrlKey ? 0 : now - (now % this.cols),
      End: event.ctrlKey ? last : Math.min(last, now - (now % this.cols) + this.cols - 1),
      PageDown: this.body?.fields[field + 1]?.offset,
      PageUp: this.body?.fields[field - 1]?.offset,
    };
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      if (field >= 0) this.onPick(field);
      return;
    }
    if (!(event.key in step)) return;
    event.preventDefault();
    const to = step[event.key];
    if (to === undefined || to < 0 || to > last) return;
    this.moveTo(to);
  }

  /** Puts the keyboard on a byte: the one byte of the sheet where Tab stops. */
  moveTo(i) {
    const from = this.cell(this.focusAt);
    if (from) from.tabIndex = -1;
    this.focusAt = i;
    const cell = this.cell(i);
    cell.tabIndex = 0;
    cell.focus();
  }
}

function ruler(cols) {
  return el(
    'div',
    { class: 'sheet-row sheet-ruler', role: 'presentation', 'aria-hidden': 'true' },
    el('span', { class: 'sheet-offset' }),
    Array.from({ length: cols }, (_, i) => el('span', { class: 'tick' }, i)),
  );
}

/** Which field each byte belongs to. The fields tile the body, so each byte has one. */
function owners(fields, end) {
  const owner = new Int32Array(end);
  fields.forEach((field, index) => owner.fill(index, Math.min(field.offset, end), Math.min(field.offset + field.length, end)));
  return owner;
}

/** For each field, where its longest run within one row begins: its name goes there. */
function longestRuns(owner, cols, end) {
  const best = new Map();
  const size = new Map();
  for (let at = 0; at < end; ) {
    let to = at + 1;
    while (to < end && to % cols !== 0 && owner[to] === owner[at]) to += 1;
    if (to - at > (size.get(owner[at]) ?? 0)) {
      size.set(owner[at], to - at);
      best.set(owner[at], at);
    }
    at = to;
  }
  return best;
}

function hex(n, digits) {
  return n.toString(16).padStart(digits, '0');
}
