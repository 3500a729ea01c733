// Starts the page: the views, the way between them, the theme, and the field for a key when the server wants one.

import { getJSON, useKey } from './api.js';
import { announce, el, fill, hush } from './dom.js';
import { LinkError, readFragment } from './share.js';
import { Bench } from './views/bench.js';
import { Compare } from './views/compare.js';
import { Compose } from './views/compose.js';
import { Layout } from './views/layout.js';
import { Learn } from './views/learn.js';
import { Read } from './views/read.js';
import { Replay } from './views/replay.js';

const kinds = { compose: Compose, read: Read, compare: Compare, replay: Replay, learn: Learn, bench: Bench, layout: Layout };
const views = {};
let current = null;
const main = document.getElementById('main');
const linkSaid = el('div', { class: 'link-said', role: 'alert' });
const links = new Map(Array.from(document.querySelectorAll('.views a'), (a) => [a.hash.replace('#/', ''), a]));

const bus = {
  /** Opens a view in a state, as a link to it would. */
  open(name, state) {
    history.pushState(null, '', `#/${name}`);
    open(name, state, true);
  },
};

function open(name, state, moved) {
  current = name;
  fill(linkSaid);
  const view = (views[name] ??= new kinds[name](bus));
  if (view.node.parentNode !== main) main.replaceChildren(linkSaid, view.node);
  for (const [key, a] of links) {
    if (key === name) a.setAttribute('aria-current', 'page');
    else a.removeAttribute('aria-current');
  }
  const heading = view.node.querySelector('h1');
  document.title = `${heading.textContent} · mxrest`;
  if (state.size) take(view, state);
  view.show();
  if (moved) {
    scrollTo(0, 0);
    heading.focus({ preventScroll: true });
  }
}

/** Puts the state of a link in a view. One that cannot be read leaves the view empty and says so: neither an example nor half of it may pass for what was meant. */
function take(view, state) {
  try {
    view.load(state);
  } catch (err) {
    if (!(err instanceof LinkError)) throw err;
    refuse(view, err);
  }
}

function refuse(view, err) {
  view.clear();
  fill(linkSaid, el('p', { class: 'note bad' }, `This link cannot be read: ${err.message}. It may be damaged or cut short. Nothing of it was taken.`));
}

function follow(moved) {
  if (location.hash === '#main' && current) return undefined; // the skip link: a place of the page, not a view
  try {
    const { name, state } = readFragment();
    if (!Object.hasOwn(kinds, name)) throw new LinkError(`there is no view "${name}"`);
    return open(name, state, moved);
  } catch (err) {
    if (!(err instanceof LinkError)) throw err;
    open('compose', new URLSearchParams(), moved);
    return refuse(views.compose, err);
  }
}

addEventListener('hashchange', () => follow(true));
addEventListener('popstate', () => follow(true));

// A file dropped beside a field would make the browser leave the page.
for (const event of ['dragover', 'drop']) addEventListener(event, (e) => e.preventDefault());

// Theme: the system's, or the reader's choice, which is all that the page keeps in storage.
const themes = Array.from(document.querySelectorAll('.theme button'));

function useTheme(theme) {
  document.documentElement.style.colorScheme = theme === 'system' ? '' : theme;
  for (const b of themes) b.setAttribute('aria-pressed', String(b.dataset.theme === theme));
}

function storedTheme() {
  try {
    const theme = localStorage.getItem('mxrest-theme');
    return theme === 'light' || theme === 'dark' ? theme : 'system';
  } catch {
    return 'system'; // storage is switched off
  }
}

for (const b of themes) {
  b.addEventListener('click', () => {
    useTheme(b.dataset.theme);
    try {
      localStorage.setItem('mxrest-theme', b.dataset.theme);
    } catch {
      // It then lasts as long as the page.
    }
  });
}
useTheme(storedTheme());

// The key.
const keyBar = document.getElementById('key-bar');
const keyField = document.getElementById('key');

addEventListener('mxrest:key-needed', () => {
  hush(); // the trying is over
  const again = !keyBar.hidden;
  keyBar.hidden = false;
  document.getElementById('key-said').textContent = again || keyField.value ? 'That key was not accepted.' : '';
});

keyBar.addEventListener('submit', (event) => {
  event.preventDefault();
  keyBar.hidden = true;
  useKey(keyField.value.trim());
  announce('Trying with the key');
});

follow(false);

getJSON('version').then(
  (v) => { document.getElementById('version').textContent = `mxrest ${v.version}, ${v.go}`; },
  () => {}, // a server with keys does not say before it has one
);
