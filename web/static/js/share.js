// Links to what is on the page. Everything stands after the #, which browsers keep to themselves: the server, its log and any proxy see the bare page only.

import { copyText } from './copyas.js';
import { el } from './dom.js';

/** Splits the fragment into the view's name and its state. */
export function readFragment(hash = location.hash) {
  const [, name = '', query = ''] = /^#\/?([a-z]*)(?:\?(.*))?$/s.exec(hash) ?? [];
  return { name, state: new URLSearchParams(query) };
}

/** The address of a view in a state. */
export function linkTo(name, state) {
  const url = new URL(document.baseURI);
  const query = state.toString();
  url.hash = `/${name}${query ? `?${query}` : ''}`;
  return url.href;
}

/** The two share buttons. state(withValues) gives URLSearchParams. */
export function shareBar(name, state) {
  const button = (withValues, text) =>
    el('button', { type: 'button', data: { share: withValues ? 'values' : 'bare' }, on: { click: () => copyText(linkTo(name, state(withValues)), withValues ? 'a link with the values in it' : 'a link without values') } }, text);
  return el(
    'div',
    { class: 'bar', role: 'group', 'aria-label': 'Copy a link' },
    el('span', { class: 'bar-name', 'aria-hidden': 'true' }, 'Link'),
    button(true, 'with values'),
    button(false, 'without values'),
  );
}
