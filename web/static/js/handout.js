// What hands a result on (copy, "Use in", download) does so only while that result belongs to what stands in the form. Between a change and its answer, and
// while the input is wrong, older bytes may stay to be looked at, but they are never given out as if they were of the present input.

import { announce, el, freshId } from './dom.js';

/** The class of a button that hands a result on. */
export const gives = 'gives';

export class Handout {
  /** node holds the result; each button in it that has the class `gives` is held back while the result is not the present one. */
  constructor(node) {
    this.node = node;
    this.reason = null;
    this.shown = false; // whether there is a result that could be taken for one of the present input
    this.note = el('p', { class: 'handout-note', id: freshId('why'), hidden: true });
    // Before the button hears of it: a button that is only said to be disabled keeps the keyboard's place, but it can still be pressed.
    node.addEventListener('click', (e) => {
      if (this.reason === null || !e.target.closest(`.${gives}`)) return;
      e.stopPropagation();
      e.preventDefault();
      announce(this.reason);
    }, true);
  }

  /** The input changed and its answer has not come yet. */
  wait() {
    if (this.reason !== null && !this.node.classList.contains('waiting')) return; // known to be old already, which says more
    this.shut('The answer to what stands in the form now has not come yet.');
    this.node.classList.add('waiting');
  }

  /** What is shown belongs to older input; reason says so in a sentence, and stands in sight. */
  stale(reason) {
    this.shut(reason);
    this.node.classList.add('stale');
  }

  /** What is shown is of the present input. */
  open() {
    this.shown = true;
    this.reason = null;
    this.note.hidden = true;
    this.node.classList.remove('waiting', 'stale');
    for (const b of this.node.querySelectorAll(`.${gives}`)) {
      b.removeAttribute('aria-disabled');
      b.removeAttribute('aria-describedby');
    }
  }

  /** No result is shown. */
  clear() {
    this.open();
    this.shown = false;
  }

  shut(reason) {
    this.reason = reason;
    this.note.textContent = reason;
    this.note.hidden = !this.shown;
    this.node.classList.remove('waiting', 'stale');
    for (const b of this.node.querySelectorAll(`.${gives}`)) {
      b.setAttribute('aria-disabled', 'true');
      b.setAttribute('aria-describedby', this.note.id);
    }
  }
}
