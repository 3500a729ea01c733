// Form controls with their label, hint and error. An error is tied to its control, so that a screen reader says it there.

import { el, fill, freshId } from './dom.js';

/** A labelled control. control is an input, select or textarea. Returns { node, control, error(text) }. */
export function field(label, control, { hint = null, wide = '', extra = null } = {}) {
  const id = control.id || freshId('c');
  control.id = id;
  const errorNode = el('p', { class: 'error', id: `${id}-e`, hidden: true });
  const hintNode = hint === null ? null : el('p', { class: 'hint', id: `${id}-h` }, hint);
  if (hintNode) control.setAttribute('aria-describedby', hintNode.id);
  const head = extra ? el('div', { class: 'label-row' }, el('label', { for: id }, label), extra) : el('label', { for: id }, label);
  const node = el('div', { class: `field ${wide}` }, head, control, hintNode, errorNode);
  return {
    node,
    control,
    hint: hintNode,
    error(text) {
      errorNode.textContent = text ?? '';
      errorNode.hidden = !text;
      if (text) control.setAttribute('aria-invalid', 'true');
      else control.removeAttribute('aria-invalid');
      const describedBy = [hintNode?.id, text ? errorNode.id : null].filter(Boolean).join(' ');
      if (describedBy) control.setAttribute('aria-describedby', describedBy);
      else control.removeAttribute('aria-describedby');
    },
  };
}

/** A one-line text input that no browser corrects or completes. */
export function line(props = {}) {
  return el('input', { type: 'text', autocomplete: 'off', autocapitalize: 'off', autocorrect: 'off', spellcheck: 'false', ...props });
}

/** A many-line text input of the same kind. */
export function area(props = {}) {
  return el('textarea', { rows: 3, autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', ...props });
}

/** Either-or: options are [value, text] pairs. Returns { node, value, set(value) }; value is '' while none is chosen. */
export function choice(label, options, { value = options[0][0], onChange = () => {} } = {}) {
  const name = freshId('choice');
  const inputs = options.map(([v]) => el('input', { type: 'radio', name, value: v, checked: v === value }));
  const node = el(
    'div',
    { class: 'choice', role: 'radiogroup', 'aria-label': label },
    options.map(([, text], i) => el('label', {}, inputs[i], text)),
  );
  node.addEventListener('change', () => onChange(api.value));
  const api = {
    node,
    get value() {
      return inputs.find((i) => i.checked)?.value ?? '';
    },
    set(v) {
      for (const i of inputs) i.checked = i.value === v;
    },
  };
  return api;
}

/** A select; options are strings, [value, text] pairs, or { label, options } for a group. */
export function select(options, props = {}) {
  const option = (o) => (Array.isArray(o) ? el('option', { value: o[0] }, o[1]) : el('option', { value: o }, o));
  const node = el('select', {}, options.map((o) => (o.label ? el('optgroup', { label: o.label }, o.options.map(option)) : option(o))));
  for (const [name, v] of Object.entries(props)) {
    if (name === 'value') node.value = v;
    else if (name === 'on') for (const [event, f] of Object.entries(v)) node.addEventListener(event, f);
    else node.setAttribute(name, v);
  }
  return node;
}

/** A part of a form that folds away. Open where there is room; on a phone the body is nearer without it. say() gives what the closed fold shows. */
export function fold(title, children, say) {
  const sum = el('span', { class: 'sum' });
  const node = el('details', { class: 'fold', open: matchMedia('(min-width: 60rem)').matches }, el('summary', {}, title, sum), el('div', { class: 'group' }, children));
  const refresh = () => { sum.textContent = say(); };
  node.addEventListener('input', refresh);
  node.addEventListener('change', refresh);
  node.addEventListener('toggle', refresh);
  return { node, refresh };
}

/** A problem as the server words it, shown whole: what is wrong, where, and the limit it broke. */
export function problemNode(problem, { title = null } = {}) {
  const { doc, errors } = problem;
  const node = el('div', { class: 'problem' });
  return fill(
    node,
    el('p', { class: 'problem-title' }, title ?? doc.title ?? 'Not done'),
    doc.detail && !(errors.length === 1 && doc.detail.endsWith(errors[0].reason)) ? el('p', { class: 'as-typed' }, doc.detail) : null,
    errors.length ? el('ul', {}, errors.slice(0, 20).map((e) => el('li', {}, where(e), e.reason, e.limit ? el('span', { class: 'muted' }, ` (${e.limit})`) : null))) : null,
  );
}

/** The problem of a body that does not decode: where reading stopped, in the body's own offsets. */
export function stopNode(problem) {
  const [fault] = problem.errors;
  if (fault?.offset === undefined) return problemNode(problem);
  return el(
    'div',
    { class: 'problem' },
    el('p', { class: 'problem-title' }, `Reading stopped at offset ${fault.offset}`),
    el('p', { class: 'as-typed' }, problem.doc.detail, fault.limit ? el('span', { class: 'muted' }, ` (${fault.limit})`) : null),
  );
}

function where(e) {
  const parts = [];
  if (e.line) parts.push(`line ${e.line}`);
  if (e.pointer) parts.push(el('code', {}, e.pointer));
  // Beside a pointer the offset counts bytes of the request, which nobody here has seen.
  else if (e.offset !== undefined && e.offset !== null) parts.push(`at offset ${e.offset}`);
  return parts.length ? [parts.flatMap((p, i) => (i ? [', ', p] : [p])), ': '] : [];
}
