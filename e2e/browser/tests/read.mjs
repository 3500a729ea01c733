// Read: everything that people paste, files, broken bodies.

import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { body, fields, shownHex, waitForHex } from '../lib/page.mjs';

const bytes = Buffer.from(body, 'hex');
const pairs = body.match(/../g);
const input = (page) => page.getByLabel('Message body', { exact: true });
const said = (page) => page.locator('.form-said').textContent();

/** A dump of the bytes as `xxd` prints them. */
function xxd() {
  const rows = [];
  for (let at = 0; at < bytes.length; at += 16) {
    const row = pairs.slice(at, at + 16);
    const groups = [];
    for (let i = 0; i < row.length; i += 2) groups.push(row.slice(i, i + 2).join(''));
    const text = row.map((p) => { const c = parseInt(p, 16); return c >= 0x20 && c < 0x7f ? String.fromCharCode(c) : '.'; }).join('');
    rows.push(`${at.toString(16).padStart(8, '0')}: ${groups.join(' ').padEnd(39)}  ${text}`);
  }
  return rows.join('\n');
}

export const tests = {
  async 'every form, named'({ open }) {
    const page = await open('/#/read');
    const forms = {
      'hex digits': body,
      'hex with spaces': pairs.join(' '),
      'hex with commas': pairs.join(', '),
      'hex with colons': pairs.join(':'),
      'hex with 0x': pairs.map((p) => `0x${p}`).join(' '),
      'an array in source code': `unsigned char b[] = { ${pairs.map((p) => `0x${p}`).join(', ')} };`,
      'an xxd dump': xxd(),
      base64: bytes.toString('base64'),
    };
    for (const [name, text] of Object.entries(forms)) {
      await input(page).fill('');
      await page.getByText('Paste a body').waitFor();
      await input(page).fill(text);
      await page.waitForFunction(() => document.querySelector('.form-said').textContent !== '');
      assert.ok((await said(page)).includes(name), `${name}: ${await said(page)}`);
      await waitForHex(page, body);
    }
    assert.equal((await fields(page)).length, 15);
  },

  async 'a guess is shown as one, and can be overruled'({ open }) {
    const page = await open('/#/read');
    // Both base64 and hex digits: as hex an operation status, as base64 six bytes.
    await input(page).fill('00005080');
    await page.waitForFunction(() => document.querySelector('.form-said').textContent !== '');
    assert.match(await said(page), /guess/i);
    assert.match(await said(page), /could also be/);
    await page.getByLabel('Message body: read as').selectOption('hex');
    await page.waitForFunction(() => document.querySelector('.form-said').textContent.includes('chosen'));
  },

  async 'a file of raw bytes, and a file of text'({ open }) {
    const dir = mkdtempSync(join(tmpdir(), 'mxrest-read-'));
    writeFileSync(join(dir, 'body.bin'), bytes);
    writeFileSync(join(dir, 'body.txt'), xxd());
    const page = await open('/#/read');
    await page.locator('input[type=file]').setInputFiles(join(dir, 'body.bin'));
    await waitForHex(page, body);
    assert.match(await said(page), /bytes of a file/);
    await page.locator('input[type=file]').setInputFiles(join(dir, 'body.txt'));
    await page.waitForFunction(() => document.querySelector('.form-said').textContent.includes('xxd'));
    await waitForHex(page, body);
  },

  async 'names are checked against signatures'({ open }) {
    const page = await open(`/#/read?hex=${body}&object=TestChildObject&attribute=TestInt`);
    await waitForHex(page, body);
    await page.getByText('has the signature in the body, 0xd736').waitFor();
    await page.getByLabel('Attribute name').fill('<b>Other</b>');
    await page.getByText('They do not match').waitFor();
    assert.equal(await page.locator('.note.bad strong').textContent(), '<b>Other</b>');
  },

  async 'broken bodies show what could be read and where it stopped'({ open }) {
    const page = await open('/#/read');
    await input(page).fill(`${body}00`);
    await page.locator('.problem').waitFor();
    assert.match(await page.locator('.problem').textContent(), /stopped at offset 40/);
    await waitForHex(page, `${body}00`);
    let list = await fields(page);
    assert.equal(list.length, 16);
    assert.deepEqual([list.at(-1).name, list.at(-1).offset, list.at(-1).hex], ['not read', 40, '00']);

    await input(page).fill(`${body.slice(0, 34)}ff${body.slice(36)}`);
    await page.waitForFunction(() => document.querySelector('.problem')?.textContent.includes('stopped at offset 17'));
    await page.waitForFunction(() => document.querySelector('.field-table tbody tr:last-child .c-offset').textContent === '17');
    list = await fields(page);
    assert.equal(list.at(-1).name, 'not read');
    assert.equal(list.at(-1).length, 23);

    await input(page).fill('xyz');
    await page.locator('.form .error:visible').waitFor();
    assert.equal(await page.locator('.body-view:visible').count(), 0);
  },

  async 'every message of the wire format'({ open }) {
    const page = await open('/#/read');
    const messages = {
      'Advise supervisory': '1f010033221100554477668899aabbccddeeff0000050036d702009b000a003eda000003000000',
      'Operation status': '0000508000',
      'Completion code': '41',
      Suspend: '2d0100cd2aeeeeb276064fb4585ca02df7a8930100050001000200010069000a004792000003000000',
      'Data update': '33010002000000332211005544776688990a0b0c0d0e0f00000080c00000803ed5deb19d01022a000000eb030004180000803ed5deb19d01022b000000',
    };
    for (const [title, hex] of Object.entries(messages)) {
      await input(page).fill(hex);
      await page.waitForFunction((t) => document.querySelector('.body-head h2').textContent === t, title);
      await waitForHex(page, hex);
    }
    await input(page).fill('0000508000');
    await page.getByText('Success: write complete').waitFor();
    await input(page).fill('41');
    await page.getByText('Not known to be a success').waitFor();
  },

  async 'from reading to composing, comparing and replaying'({ open }) {
    const page = await open(`/#/read?hex=${body.replace('78563412', '80ffffff')}`);
    await waitForHex(page, body.replace('78563412', '80ffffff'));
    await page.getByRole('button', { name: 'Compose', exact: true }).click();
    await page.getByRole('heading', { name: 'Compose a write' }).waitFor();
    await waitForHex(page, body.replace('78563412', '80ffffff'));
    assert.equal(await page.getByLabel('Value', { exact: true }).inputValue(), '-128');
    await page.goBack();
    await page.getByRole('heading', { name: 'Read a body' }).waitFor();
    await page.getByRole('button', { name: 'Replay', exact: true }).click();
    await page.getByRole('heading', { name: 'Replay a capture' }).waitFor();
    await page.waitForFunction(() => document.querySelector('[id]') && Array.from(document.querySelectorAll('input')).some((i) => i.value === '-128'));
    assert.equal(await page.getByLabel('Its type').inputValue(), 'Int32');
  },

  async 'signs of zero and bits of NaN survive the way to the form'({ open }) {
    const front = body.slice(0, 34);
    const tail = 'ffff00000000000000000000000000000000';
    const floats = {
      'minus zero': `${front}0300000080${tail}`,
      'a NaN of its own': `${front}0401000000000 0f8ff${tail}`.replace(' ', ''),
      'an array of both': `${front.slice(0, 30)}ffff4300000000030004000000${'00000080'}${'0100c0ff'}${'0000803f'}${tail}`,
    };
    for (const [name, hex] of Object.entries(floats)) {
      const page = await open(`/#/read?hex=${hex}`);
      await waitForHex(page, hex);
      await page.getByRole('button', { name: 'Compose', exact: true }).click();
      await page.getByRole('heading', { name: 'Compose a write' }).waitFor();
      await waitForHex(page, hex).catch((err) => { throw new Error(`${name}: ${err.message}`); });
    }
  },

  async 'a link carries the paste, or only the names'({ open, server }) {
    const page = await open('/#/read', { permissions: ['clipboard-read', 'clipboard-write'] });
    await input(page).fill(xxd());
    await page.getByLabel('Object name').fill('TestChildObject');
    await waitForHex(page, body);
    for (const [which, shows] of [['values', true], ['bare', false]]) {
      await page.evaluate(() => navigator.clipboard.writeText(''));
      await page.locator(`[data-share="${which}"]`).click();
      await page.waitForFunction(async () => (await navigator.clipboard.readText()) !== '');
      const url = await page.evaluate(() => navigator.clipboard.readText());
      const other = await open(url.slice(server.url.length));
      assert.equal(await other.getByLabel('Object name').inputValue(), 'TestChildObject');
      if (shows) await waitForHex(other, body);
      else assert.equal(await shownHex(other), '');
    }
  },

  async 'a write of another layout has ways on: replay and learn'({ open }) {
    const foreign = '390100050036d702009b000a003eda00001278563412ffff07000000010000000000000000000000';
    const page = await open(`/#/read?hex=${foreign}`);
    await page.getByText('a write of a plant with another layout').waitFor();
    assert.match(await page.locator('.note:visible').textContent(), /--layout/);
    await page.getByRole('button', { name: 'Replay this body' }).click();
    await page.getByRole('heading', { name: 'Replay a capture' }).waitFor();
    assert.equal(await page.getByLabel('Captured write', { exact: true }).inputValue(), foreign);
    await page.goBack();
    await page.getByRole('button', { name: 'Learn from this body' }).click();
    await page.getByRole('heading', { name: 'Learn a layout' }).waitFor();
    assert.equal(await page.getByLabel('Captured body', { exact: true }).inputValue(), foreign);
    // A second one stands beside the first; before its answer has come the older body is not offered.
    await page.goBack();
    let go;
    const held = new Promise((done) => { go = done; });
    await page.route('**/v1/decode/text', async (route) => { await held; await route.continue(); });
    await input(page).fill(foreign.replace('78563412', '06000000'));
    assert.equal(await page.getByRole('button', { name: 'Learn from this body' }).getAttribute('aria-disabled'), 'true');
    go();
    await waitForHex(page, foreign.replace('78563412', '06000000'));
    await page.unroute('**/v1/decode/text');
    await input(page).fill(foreign.replace('78563412', '07000000'));
    await waitForHex(page, foreign.replace('78563412', '07000000'));
    await page.getByRole('button', { name: 'Learn from this body' }).click();
    await page.getByLabel('Captured body', { exact: true }).nth(1).waitFor();
    assert.deepEqual(await page.getByLabel('Captured body', { exact: true }).evaluateAll((nodes) => nodes.map((n) => n.value)), [foreign, foreign.replace('78563412', '07000000')]);
  },

  async 'frames are told from a body, and the first is offered'({ open }) {
    const frame = (hex) => `${(hex.length / 2).toString(16).padStart(2, '0')}000000${hex}`;
    const page = await open(`/#/read?hex=${frame(body)}${frame('0000508000')}`);
    await page.getByText('These bytes read as 2 frames').waitFor();
    await page.getByRole('button', { name: 'Read the first body' }).click();
    await waitForHex(page, body);
    assert.ok(await input(page).evaluate((i) => document.activeElement === i));
    assert.equal(await page.getByText('These bytes read as').count(), 0);
    await input(page).fill(frame(body).slice(0, -2));
    await page.locator('.problem').waitFor();
    assert.equal(await page.getByText('These bytes read as').count(), 0, 'broken off: not frames');
  },
};
