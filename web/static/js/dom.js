// Building the page without markup in strings: every text that arrives here becomes a text node, so a tag's name with angle brackets shows as typed. The
// policy (Trusted Types without a policy) forbids the other way altogether.

/**
 * Makes an element. In props, `class`, `data` (an object) and `on` (an object of listeners) are special; true and false switch an attribute; null and undefined
 * are left out; everything else is an attribute. Children are nodes, strings or numbers, nested arrays of them, or null.
 */
export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  set(node, props);
  node.append(...flat(children));
  return node;
}

const svgNS = 'http://www.w3.org/2000/svg';

/** Makes an SVG element; props are attributes. */
export function svg(tag, props = {}, ...children) {
  const node = document.createElementNS(svgNS, tag);
  for (const [name, value] of Object.entries(props)) node.setAttribute(name, value);
  node.append(...flat(children));
  return node;
}

function set(node, props) {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === 'class') node.className = value;
    else if (name === 'data') Object.assign(node.dataset, value);
    else if (name === 'on') for (const [event, f] of Object.entries(value)) node.addEventListener(event, f);
    else if (name === 'value') node.value = value;
    else node.setAttribute(name, value === true ? '' : value);
  }
}

function flat(children) {
  return children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false).map((c) => (c instanceof Node ? c : String(c)));
}

/** Puts children in place of what the node holds. */
export function fill(node, ...children) {
  node.replaceChildren(...flat(children));
  return node;
}

/**
 * A table that becomes a list of cards on a phone, each number under its column's name. rows are lists of cells, the first of them the row's header; props(i) gives
 * attributes of row i. The roles are written out because a table laid out as blocks loses them.
 */
export function table(title, kind, head, rows, props = () => ({})) {
  return el(
    'div',
    { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': title },
    el(
      'table',
      { class: `plain-table ${kind}`, role: 'table' },
      el('caption', { class: 'hidden-text' }, title),
      el('thead', { role: 'rowgroup' }, el('tr', { role: 'row' }, head.map((h) => el('th', { scope: 'col', role: 'columnheader' }, h)))),
      el(
        'tbody',
        { role: 'rowgroup' },
        rows.map(([first, ...rest], i) =>
          el('tr', { role: 'row', ...props(i) }, el('th', { scope: 'row', role: 'rowheader' }, first), rest.map((cell, k) => el('td', { role: 'cell', data: { head: head[k + 1] } }, cell)))),
      ),
    ),
  );
}

let counter = 0;

/** An id that no other element of the page has. */
export function freshId(stem) {
  counter += 1;
  return `${stem}-${counter}`;
}

/** Calls f once the calls have paused for ms. */
export function debounced(ms, f) {
  let timer = 0;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => f(...args), ms);
  };
}

/** Says a sentence to screen readers (and to the small notice at the foot of the window). */
export function announce(text) {
  const live = document.getElementById('live');
  live.textContent = '';
  // Emptied first and set in the next frame, so that the same sentence twice is spoken twice.
  cancelAnimationFrame(announce.frame);
  announce.frame = requestAnimationFrame(() => {
    live.textContent = text;
    live.classList.add('shown');
    clearTimeout(announce.timer);
    announce.timer = setTimeout(() => live.classList.remove('shown'), 2600);
  });
}

/** Takes back what was announced, where it has turned out otherwise. */
export function hush() {
  const live = document.getElementById('live');
  cancelAnimationFrame(announce.frame);
  live.classList.remove('shown');
  live.textContent = '';
}

/** Counts with its noun: 1 byte, 2 bytes. */
export function count(n, one, many = `${one}s`) {
  return `${n.toLocaleString('en')} ${n === 1 ? one : many}`;
}
