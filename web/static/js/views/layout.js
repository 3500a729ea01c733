// The layout in force: every number that nothing confirms, and how well each is known.

import { getJSON, latest } from '../api.js';
import { problemNode } from '../controls.js';
import { count, el, fill, table } from '../dom.js';
import { standings } from '../families.js';
import { badge } from '../fieldtable.js';
import { download, layoutValue } from '../layoutfile.js';
import { onlyMembers } from '../share.js';

export class Layout {
  constructor() {
    this.run = latest();
    this.out = el('div', { class: 'result' });
    this.node = el('div', { class: 'view' }, el('div', { class: 'intro' }, el('h1', { tabindex: '-1' }, 'The layout in force'), el('p', {}, 'Every number that nothing confirms, as this server writes it. A file given with ', el('span', { class: 'nowrap' }, '--layout'), ' replaces any of them.')), this.out);
    addEventListener('mxrest:key', () => this.shown && this.show());
  }

  async show() {
    this.shown = true;
    const { dropped, problem, value } = await this.run((signal) => getJSON('v1/layout', signal));
    if (dropped) return;
    if (problem) {
      fill(this.out, problemNode(problem));
      return;
    }
    const tally = new Map();
    for (const m of value.members) tally.set(m.standing, (tally.get(m.standing) ?? 0) + 1);
    fill(
      this.out,
      el(
        'div',
        { class: 'result-head' },
        el('h2', {}, value.source === 'file' ? 'From a layout file' : 'The default'),
        el('p', { class: 'muted' }, Array.from(tally, ([s, n]) => `${count(n, 'member')} ${s}`).join(', ')),
        el('button', { type: 'button', on: { click: () => download('layout.json', value.file) } }, 'Download as a layout file'),
      ),
      table('Members of the layout', 'cards layout-table', ['Member', 'Value', 'What it is', 'Standing'], value.members.map((m) => [el('code', {}, m.name), valueNode(m), m.note ?? '', badge(m.standing)])),
      el('dl', { class: 'terms' }, Object.entries(standings).map(([word, meaning]) => [el('dt', {}, badge(word)), el('dd', {}, meaning)])),
    );
  }

  load(state) {
    onlyMembers(state, []);
  }

  clear() {}
}

function valueNode({ name, value }) {
  return Array.isArray(value) ? el('ol', { class: 'order' }, value.map((m) => el('li', {}, m))) : el('code', {}, layoutValue(name, value));
}
