// Links to what is on the page. Everything stands after the #, which browsers keep to themselves: the server, its log and any proxy see the bare page only.

import { copyText } from './copyas.js';
import { announce, el } from './dom.js';

/** What of a link cannot be read. A view throws it before it touches its form: a link that is half read would pretend to be whole. */
export class LinkError extends Error {}

/** Splits the fragment into the view's name and its state. */
export function readFragment(hash = location.hash) {
  const parts = /^(?:#(?:\/([a-z]*)(?:\?(.*))?)?)?$/s.exec(hash);
  if (!parts) throw new LinkError('no view stands after its #');
  return { name: parts[1] || 'compose', state: new URLSearchParams(parts[2] ?? '') };
}

/** Refuses a link with anything but these members. */
export function onlyMembers(state, names) {
  for (const name of new Set(state.keys())) if (!names.includes(name)) throw new LinkError(`this view knows no "${name}"`);
}

/** A number of a link that JavaScript would write in other digits: it stays as it was written, so that it means the same bytes here as where it was typed. */
export class LinkNumber {
  constructor(source) {
    this.source = source;
  }

  toString() {
    return this.source;
  }
}

/** The JSON that stands in a member of a link. */
export function jsonMember(state, name) {
  const exact = (key, value, context) => (typeof value === 'number' && context?.source && context.source !== String(value) && !Object.is(value, -0) ? new LinkNumber(context.source) : value);
  try {
    return JSON.parse(state.get(name), exact);
  } catch {
    throw new LinkError(`its "${name}" breaks off or is not JSON`);
  }
}

/** An object of a link, with no members but these. */
export function linkObject(value, what, names) {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw new LinkError(`${what} is not an object`);
  for (const name of Object.keys(value)) if (!names.includes(name)) throw new LinkError(`${what} has "${name}", which nothing here has`);
  return value;
}

/** The address of a view in a state. */
export function linkTo(name, state) {
  const url = new URL(document.baseURI);
  const query = state.toString();
  url.hash = `/${name}${query ? `?${query}` : ''}`;
  return url.href;
}

/** The two share buttons. state(withValues) gives URLSearchParams, or null where what is typed cannot stand in a link. */
export function shareBar(name, state) {
  const share = (withValues) => {
    const now = state(withValues);
    if (!now) return announce('What is typed cannot stand in a link yet');
    return copyText(linkTo(name, now), withValues ? 'a link with the values in it' : 'a link without values');
  };
  const button = (withValues, text) => el('button', { type: 'button', data: { share: withValues ? 'values' : 'bare' }, on: { click: () => share(withValues) } }, text);
  return el(
    'div',
    { class: 'bar', role: 'group', 'aria-label': 'Copy a link' },
    el('span', { class: 'bar-name', 'aria-hidden': 'true' }, 'Link'),
    button(true, 'with values'),
    button(false, 'without values'),
  );
}
