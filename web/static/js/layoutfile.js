// Layout members and files, as the views that show them share them.

import { announce, el } from './dom.js';

/** A member's value in words: numbers that stand in bytes in hex, widths in decimal, a tail's order as a list. */
export function layoutValue(name, value) {
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value === 'number' && /^(command|version|kinds)/.test(name)) return `0x${value.toString(16).padStart(2, '0')}`;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

/** Hands the reader a JSON file. */
export function download(name, doc) {
  const url = URL.createObjectURL(new Blob([`${JSON.stringify(doc, null, 2)}\n`], { type: 'application/json' }));
  el('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
  announce(`Saved ${name}`);
}
