// One body, shown: what it is, the byte sheet, what is pointed at, the field list. Sheet and list point at each other: hover or focus in one lights the other,
// a click or Enter pins the field.

import { ByteGrid } from './bytegrid.js';
import { count, el, fill } from './dom.js';
import { families } from './families.js';
import { FieldTable, badge, clip, spaced } from './fieldtable.js';
import { Handout } from './handout.js';

export class BodyView {
  /** tools: a node to stand between the sheet and the list (copy and share). */
  constructor({ label, tools = null }) {
    const onHover = (index) => this.hover(index);
    const onPick = (index) => this.pick(index);
    this.grid = new ByteGrid({ label: `${label}: bytes`, onHover, onPick });
    this.table = new FieldTable({ label: `${label}: fields`, onHover, onPick });
    this.title = el('h2', {});
    this.facts = el('p', { class: 'muted', role: 'status' });
    this.readout = el('div', { class: 'readout', 'aria-hidden': 'true' });
    this.legend = el('ul', { class: 'legend', 'aria-label': 'Colours of the bytes' });
    this.grid.node.append(this.readout);
    this.node = el('section', { class: 'body-view', 'aria-label': label, hidden: true });
    this.handout = new Handout(this.node);
    this.node.append(...[el('div', { class: 'body-head' }, this.title, this.facts), this.handout.note, this.grid.node, this.legend, tools, this.table.node].filter(Boolean));
    this.picked = -1;
  }

  show(body, marks = null) {
    this.body = body;
    const samePlace = body.fields[this.picked]?.name === this.pickedName ? this.picked : -1;
    this.node.hidden = false;
    this.title.textContent = body.title;
    fill(this.facts, facts(body));
    this.grid.show(body, marks);
    this.table.show(body);
    fill(this.legend, legend(body));
    this.picked = -1;
    if (samePlace >= 0) this.pick(samePlace);
    else this.tell(-1);
    this.handout.open();
  }

  hover(index) {
    this.grid.light(index);
    this.table.light(index);
    this.tell(index >= 0 ? index : this.picked);
  }

  pick(index) {
    this.picked = this.picked === index ? -1 : index;
    this.pickedName = this.body.fields[this.picked]?.name;
    this.grid.pick(this.picked);
    this.table.pick(this.picked);
    this.tell(this.picked);
  }

  tell(index) {
    const field = this.body?.fields[index];
    this.readout.className = `readout${field ? ` fam-${field.family} is-${field.mark}` : ''}`;
    if (!field) {
      fill(this.readout, el('span', { class: 'muted' }, 'Point at a byte or a field to see how it was worked out. Arrow keys walk the bytes.'));
      return;
    }
    fill(
      this.readout,
      el('span', { class: 'name' }, el('span', { class: 'swatch' }), ' ', field.label),
      el('span', { class: 'muted' }, range(field)),
      el('code', {}, clip(spaced(field.hex), 47)),
      el('span', { class: 'value' }, clip(field.value, 120)),
      badge(field.standing),
      field.how ? el('span', { class: 'how' }, clip(field.how, 300)) : null,
    );
  }
}

function range(field) {
  if (field.length === 0) return `at ${field.offset}, no bytes`;
  if (field.length === 1) return `byte ${field.offset}`;
  return `bytes ${field.offset} to ${field.offset + field.length - 1}`;
}

function facts(body) {
  const assumed = body.fields.filter((f) => f.standing === 'assumed').reduce((sum, f) => sum + f.length, 0);
  return [body.facts ?? [], count(body.bytes.length, 'byte'), assumed ? `${assumed.toLocaleString('en')} of them assumed` : 'none of them assumed'].flat().join(', ');
}

function legend(body) {
  const present = new Set(body.fields.map((f) => f.family));
  const items = families
    .filter(([key]) => present.has(key))
    .map(([key, name, about]) => el('li', { class: `fam-${key}`, title: about }, el('span', { class: 'swatch', 'aria-hidden': 'true' }), name));
  if (body.fields.some((f) => f.standing === 'assumed')) items.push(el('li', {}, el('span', { class: 'swatch hatch', 'aria-hidden': 'true' }), 'hatched: assumed'));
  return items;
}
