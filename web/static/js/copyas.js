// The same bytes in the forms that people paste elsewhere.

import { announce, el } from './dom.js';
import { gives } from './handout.js';

/** The forms by name: bytes (Uint8Array) in, text out. */
export const forms = {
  hex: hexOf,
  base64,
  C: (b) => `static const unsigned char body[${b.length}] = {\n${lines(b, '    ', (x) => `0x${x}`)}\n};\n`,
  Go: (b) => `var body = []byte{\n${lines(b, '\t', (x) => `0x${x}`)}\n}\n`,
  'C#': (b) => `byte[] body =\n{\n${lines(b, '    ', (x) => `0x${x}`)}\n};\n`,
  Python: (b) => `body = bytes.fromhex(\n${chunks(pairs(b), 16).map((row) => `    "${row.join(' ')}"`).join('\n')}\n)\n`,
  Rust: (b) => `const BODY: [u8; ${b.length}] = [\n${lines(b, '    ', (x) => `0x${x}`)}\n];\n`,
};

/** The bytes of a string of hex digits. */
export function bytesOf(hex) {
  const out = new Uint8Array(hex.length / 2);
  for (let i = 0; i < out.length; i += 1) out[i] = parseInt(hex.slice(2 * i, 2 * i + 2), 16);
  return out;
}

/** Bytes as hex digits. */
export function hexOf(bytes) {
  return pairs(bytes).join('');
}

function base64(bytes) {
  let s = '';
  for (const b of bytes) s += String.fromCharCode(b);
  return btoa(s);
}

function pairs(bytes) {
  return Array.from(bytes, (b) => b.toString(16).padStart(2, '0'));
}

function chunks(list, n) {
  const out = [];
  for (let i = 0; i < list.length; i += n) out.push(list.slice(i, i + n));
  return out;
}

function lines(bytes, indent, each) {
  return chunks(pairs(bytes), 12).map((row) => `${indent}${row.map(each).join(', ')},`).join('\n');
}

/** A shell word, quoted so that a POSIX shell takes it as it stands. */
export function shellQuote(text) {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * The curl command that answers with the body: json is the request, url the operation's absolute address, out the file that the answer goes to. With keyed, it names
 * a variable for the key, never the key itself.
 */
export function curlFor({ url, json, keyed, out = 'body.bin' }) {
  const auth = keyed ? ` \\\n  -H "Authorization: Bearer $MXREST_KEY"` : '';
  return `curl -sS --fail-with-body ${shellQuote(url)}${auth} \\\n  -H 'Content-Type: application/json' \\\n  --data-binary ${shellQuote(json)} \\\n  -o ${out}\n`;
}

/** Puts text on the clipboard and says so. Without the clipboard API (a page over plain HTTP from another machine) the old command does it. */
export async function copyText(text, what) {
  let done = false;
  try {
    await navigator.clipboard.writeText(text);
    done = true;
  } catch {
    const area = el('textarea', { class: 'hidden-text', value: text, readonly: true, 'aria-hidden': 'true', tabindex: '-1' });
    const before = document.activeElement;
    document.body.append(area);
    area.select();
    done = document.execCommand('copy');
    area.remove();
    before?.focus?.();
  }
  announce(done ? `Copied ${what}` : `The browser did not let the page copy ${what}`);
}

/**
 * The row of copy buttons. get() gives { bytes, curl } of what is shown, curl null where no operation answers with these bytes; or null when nothing is
 * shown.
 */
export function copyBar(get) {
  const button = (name, make) =>
    el('button', { type: 'button', class: gives, data: { copy: name }, on: { click: () => run(name, make) } }, name);
  const run = (name, make) => {
    const now = get();
    if (!now) return announce('There is no body to copy yet');
    const text = make(now);
    if (text === null) return announce('No operation of the API answers with these bytes, so there is no curl command');
    return copyText(text, name === 'curl' ? 'the curl command' : `${now.bytes.length} bytes as ${name}`);
  };
  return el(
    'div',
    { class: 'bar', role: 'group', 'aria-label': 'Copy the body as' },
    el('span', { class: 'bar-name', 'aria-hidden': 'true' }, 'Copy as'),
    Object.entries(forms).map(([name, make]) => button(name, (now) => make(now.bytes))),
    button('curl', (now) => now.curl),
  );
}
