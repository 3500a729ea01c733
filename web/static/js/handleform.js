// The handle of a write: ids with names or signatures, or its 20 bytes. Going from one way to another starts from the handle that stands there; the server works it out.

import { latest, postJSON } from './api.js';
import { choice, field, fold, line } from './controls.js';
import { el } from './dom.js';
import { numberJSON, object } from './typedvalue.js';

// The handle of the wire format's example; its ids are invented.
const example = { galaxyId: 1, platformId: 1, engineId: 2, objectId: 5, object: 'TestChildObject', primitiveId: 2, attributeId: 155, propertyId: 10, attribute: 'TestInt' };

/** The ids of a handle, with labels. An empty one is left out, and the server's own choice holds. */
const ids = {
  galaxyId: 'Galaxy',
  platformId: 'Platform',
  engineId: 'Engine',
  objectId: 'Object id',
  primitiveId: 'Primitive',
  attributeId: 'Attribute id',
  propertyId: 'Property',
  attributeIndex: 'Index',
};

/** The members of a handle in JSON. */
export const handleMembers = [...Object.keys(ids), 'object', 'objectSignature', 'attribute', 'attributeSignature'];

/** The controls of a handle. whole() says whether an absent index is that of a whole array. */
export class HandleForm {
  constructor({ onInput, whole = () => false, start = example }) {
    this.onInput = onInput;
    this.whole = whole;
    this.working = latest();
    this.source = choice('Handle given as', [['ids', 'Ids and names'], ['bytes', '20 bytes']], { onChange: () => { this.showSource(); this.workOut(); } });
    this.ids = {};
    for (const [name, label] of Object.entries(ids)) {
      this.ids[name] = field(label, line({ class: 'code', inputmode: 'numeric', on: { input: onInput } }));
    }
    this.ids.propertyId.control.placeholder = '10';
    this.ids.attributeIndex.control.placeholder = '-1, 0, 1 …';
    this.ids.attributeIndex.control.title = '-1 is the whole array, else an element counted from 0; empty: -1 for an array value, else 0';
    this.object = new NameOrSignature('Object', onInput);
    this.attribute = new NameOrSignature('Attribute', onInput);
    this.bytes = field('Handle bytes', line({ class: 'code', placeholder: '01000100020005…', on: { input: onInput } }), { hint: '40 hex digits' });
    const { galaxyId, platformId, engineId, objectId, primitiveId, attributeId, propertyId, attributeIndex } = this.ids;
    this.idsNode = el(
      'div',
      { class: 'grid-3' },
      [galaxyId, platformId, engineId, objectId].map((f) => f.node),
      this.object.node,
      [primitiveId, attributeId, propertyId, attributeIndex].map((f) => f.node),
      this.attribute.node,
    );
    this.fold = fold('Handle', [this.source.node, this.idsNode, this.bytes.node], () => this.summary());
    this.node = this.fold.node;
    this.load({ handle: start });
  }

  summary() {
    if (this.source.value === 'bytes') return this.bytes.control.value;
    return [this.object.field.control.value, this.attribute.field.control.value].filter(Boolean).join(' . ');
  }

  showSource() {
    this.idsNode.hidden = this.source.value !== 'ids';
    this.bytes.node.hidden = this.source.value !== 'bytes';
    this.onInput();
  }

  /** Puts in the 20 bytes of the handle that the ids and names give, unless something was typed before the answer came. */
  async workOut() {
    this.working.drop();
    if (this.source.value !== 'bytes') return;
    this.bytes.control.value = '';
    const members = this.idMembers();
    if (this.whole() && !members.some(([name]) => name === 'attributeIndex')) members.push(['attributeIndex', '-1']);
    const { value } = await this.working((signal) => postJSON('v1/handle/explain', object(members), signal));
    if (!value || this.source.value !== 'bytes' || this.bytes.control.value !== '') return;
    this.bytes.control.value = value.hex;
    this.fold.refresh();
    this.onInput();
  }

  members() {
    if (this.source.value === 'bytes') return [['handleBytes', JSON.stringify(this.bytes.control.value.replace(/\s+/g, ''))]];
    return [['handle', object(this.idMembers())]];
  }

  idMembers() {
    const inner = [];
    for (const name of ['galaxyId', 'platformId', 'engineId', 'objectId']) this.id(inner, name);
    inner.push(this.object.member());
    for (const name of ['primitiveId', 'attributeId', 'propertyId']) this.id(inner, name);
    inner.push(this.attribute.member());
    this.id(inner, 'attributeIndex');
    return inner.filter(Boolean);
  }

  id(members, name) {
    const text = this.ids[name].control.value.trim();
    if (text) members.push([name, numberJSON(text)]);
  }

  load(write) {
    this.working.drop();
    const bytes = write.handleBytes !== undefined;
    this.source.set(bytes ? 'bytes' : 'ids');
    this.idsNode.hidden = bytes;
    this.bytes.node.hidden = !bytes;
    this.bytes.control.value = write.handleBytes ?? '';
    const handle = write.handle ?? {};
    for (const name of Object.keys(ids)) this.ids[name].control.value = handle[name] ?? '';
    this.object.load(handle.object, handle.objectSignature);
    this.attribute.load(handle.attribute, handle.attributeSignature);
    this.fold.refresh();
  }

  clearErrors() {
    for (const f of [...Object.values(this.ids), this.bytes, this.object.field, this.attribute.field]) f.error(null);
  }

  /** Shows an error by the pointer's first two steps; false if it is not the handle's. */
  showError(head, next, say) {
    if (head === 'handleBytes') this.bytes.error(say);
    else if (head !== 'handle') return false;
    else if (next in this.ids) this.ids[next].error(say);
    else if (next?.startsWith('object')) this.object.field.error(say);
    else if (next?.startsWith('attribute')) this.attribute.field.error(say);
    else return false;
    return true;
  }
}

/** A name, or the signature of one. */
class NameOrSignature {
  constructor(label, onInput) {
    this.label = label;
    this.onInput = onInput;
    this.by = 'name';
    this.working = latest();
    this.worked = {}; // the last name whose signature was worked out, and that signature as text
    this.swap = el('button', { type: 'button', class: 'quiet', on: { click: () => (this.by === 'name' ? this.toSignature() : this.toName()) } });
    this.field = field(`${label} name`, line({ class: '', on: { input: onInput } }), { wide: 'span-2', extra: this.swap });
    this.labelNode = this.field.node.querySelector('label');
    this.node = this.field.node;
    this.use('name');
  }

  /** Puts the signature of the name in its place. Asked of a handle whose other numbers do not matter: those of the form may be wrong. */
  async toSignature() {
    const name = this.field.control.value;
    this.use('signature');
    this.field.control.value = '';
    this.onInput();
    if (name === '') return;
    const handle = { galaxyId: 0, platformId: 0, engineId: 0, objectId: 0, object: name, primitiveId: 0, attributeId: 0, attribute: name };
    const { value } = await this.working((signal) => postJSON('v1/handle/explain', JSON.stringify(handle), signal));
    const signature = value?.fields.find((f) => f.name === `${this.label.toLowerCase()} signature`)?.value;
    if (signature === undefined || this.by !== 'signature' || this.field.control.value !== '') return; // typed over meanwhile
    this.worked = { name, text: hex4(signature) };
    this.field.control.value = this.worked.text;
    this.onInput();
  }

  /** Back to the name, where it is known: a name cannot be read from a signature. */
  toName() {
    this.working.drop();
    const { name, text } = this.worked;
    const back = text !== undefined && text === this.field.control.value ? name : '';
    this.use('name');
    this.field.control.value = back;
    this.onInput();
  }

  use(by) {
    this.by = by;
    this.labelNode.textContent = `${this.label} ${by}`;
    this.swap.textContent = by === 'name' ? 'Give its signature' : 'Give its name';
    this.field.control.placeholder = by === 'name' ? '' : '0 to 65535, or 0x…';
  }

  member() {
    const key = this.label.toLowerCase();
    const text = this.field.control.value;
    if (this.by === 'name') return text === '' ? null : [key, JSON.stringify(text)];
    const hex = /^\s*0x([0-9a-f]{1,8})\s*$/i.exec(text);
    if (text.trim() === '') return null;
    return [`${key}Signature`, hex ? String(parseInt(hex[1], 16)) : numberJSON(text)];
  }

  load(name, signature) {
    this.working.drop();
    const by = name === undefined && signature !== undefined ? 'signature' : 'name';
    this.use(by);
    this.field.control.value = by === 'name' ? (name ?? '') : hex4(signature);
  }
}

function hex4(signature) {
  return `0x${Number(signature).toString(16).padStart(4, '0')}`;
}
