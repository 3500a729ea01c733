// The page's only way to the server. Addresses are relative to the page, so that a proxy may serve it under a prefix.

/** An answer that is not a success: the server's problem document, or one made here when the server could not be reached. */
export class Problem extends Error {
  constructor(doc, status) {
    super(doc.detail || doc.title || `status ${status}`);
    this.doc = doc;
    this.status = status;
    this.errors = Array.isArray(doc.errors) ? doc.errors : [];
  }
}

// The key lives here and nowhere else: not in storage, not in the address, gone with the page.
let key = '';

/** Takes the key for the calls that follow and lets the views try again. */
export function useKey(value) {
  key = value;
  dispatchEvent(new Event('mxrest:key'));
}

/** Whether a key was given: the curl command then names one. */
export function hasKey() {
  return key !== '';
}

/** The address of an operation, absolute. */
export function address(path) {
  return new URL(path, document.baseURI).href;
}

/** Calls an operation. body is text or bytes, sent as they are. Resolves to a Response with a success status; throws Problem, or AbortError. */
export async function call(method, path, { body, type, accept, signal } = {}) {
  const headers = {};
  if (type) headers['Content-Type'] = type;
  if (accept) headers.Accept = accept;
  if (key) headers.Authorization = `Bearer ${key}`;
  let response;
  try {
    response = await fetch(address(path), { method, headers, body, signal, cache: 'no-store', credentials: 'same-origin', redirect: 'error' });
  } catch (err) {
    if (err.name === 'AbortError') throw err;
    throw new Problem({ title: 'No answer', detail: 'The server could not be reached. What is shown may be out of date.' }, 0);
  }
  if (response.ok) return response;
  const problem = await problemOf(response);
  if (response.status === 401) dispatchEvent(new Event('mxrest:key-needed'));
  throw problem;
}

async function problemOf(response) {
  const text = await response.text();
  try {
    const doc = JSON.parse(text);
    if (doc && typeof doc === 'object') return new Problem(doc, response.status);
  } catch {
    // Not ours: a proxy's error page, most likely.
  }
  return new Problem({ title: `Status ${response.status}`, detail: `The answer to this call was not the server's own (status ${response.status}). Is a proxy in between?` }, response.status);
}

/** Posts JSON text and reads JSON. */
export async function postJSON(path, text, signal) {
  const response = await call('POST', path, { body: text, type: 'application/json', signal });
  return response.json();
}

/** Posts bytes and reads JSON. */
export async function postBytes(path, bytes, signal) {
  const response = await call('POST', path, { body: bytes, type: 'application/octet-stream', signal });
  return response.json();
}

/** Reads JSON. */
export async function getJSON(path, signal) {
  const response = await call('GET', path, { signal });
  return response.json();
}

/** Makes a runner that keeps only its latest call: starting one aborts the one before, whose result is dropped. drop() aborts it without another. */
export function latest() {
  let controller = null;
  const run = async (work) => {
    controller?.abort();
    const mine = new AbortController();
    controller = mine;
    try {
      const value = await work(mine.signal);
      return mine.signal.aborted ? { dropped: true } : { value };
    } catch (problem) {
      if (mine.signal.aborted || problem.name === 'AbortError') return { dropped: true };
      if (!(problem instanceof Problem)) throw problem;
      return { problem };
    }
  };
  run.drop = () => controller?.abort();
  return run;
}
