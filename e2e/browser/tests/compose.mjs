// Compose: the body as you type, its fields, the errors at their fields.

import assert from 'node:assert/strict';
import { body, fields, shownHex, waitForHex } from '../lib/page.mjs';

const value = (page) => page.getByLabel('Value', { exact: true });

export const tests = {
  async 'the first case stands there at once'({ open }) {
    const page = await open();
    await waitForHex(page, body);
    const list = await fields(page);
    assert.equal(list.length, 15);
    let at = 0;
    for (const f of list) {
      assert.equal(f.offset, at, f.name);
      assert.equal(f.hex.replaceAll(' ', ''), body.slice(2 * f.offset, 2 * (f.offset + f.length)), f.name);
      at += f.length;
    }
    assert.equal(at, 40);
    const by = Object.fromEntries(list.map((f) => [f.name, f]));
    assert.match(by['object signature'].how, /testchildobject/);
    assert.match(by['object signature'].value, /0xd736/);
    assert.match(by['attribute signature'].value, /0xda3e/);
    assert.equal(by.value.standing, 'confirmed');
    assert.equal(by.kind.standing, 'assumed');
    assert.equal(by['object id'].standing, 'derived');
    // Assumed bytes are marked: hatched, and the count says how many.
    assert.equal(await page.locator('.seg.is-assumed .byte').count(), 22);
    assert.match(await page.locator('.body-head').textContent(), /40 bytes, 22 of them assumed/);
  },

  async 'the body follows the typing'({ open }) {
    const page = await open();
    await waitForHex(page, body);
    await value(page).fill('-1');
    await waitForHex(page, body.replace('78563412', 'ffffffff'));
    await page.getByLabel('Object name').fill('testchildOBJECT');
    await page.getByLabel('Attribute name').fill('TESTINT');
    await page.getByLabel('Client token', { exact: true }).fill('7');
    await page.getByLabel('Write index', { exact: true }).fill('1');
    await waitForHex(page, `${body.slice(0, 36)}ffffffffffff00000000000000000700000001000000`);
    await page.getByText('Timestamped write').click();
    await page.getByLabel('Timestamp', { exact: true }).fill('2024-01-01T02:00:00+02:00');
    await waitForHex(page, `${body.slice(0, 36)}ffffffff000000c08976453cda010700000001000000`);
    assert.match(await page.locator('.body-head h2').textContent(), /Timestamped write/);
  },

  async 'every type, byte for byte as the API answers'({ open, server }) {
    const page = await open();
    await waitForHex(page, body);
    const cases = {
      Boolean: 'true', Int32: '-2147483648', Float32: '0.1', Float64: 'NaN', String: '😀', DateTime: '1601-01-01T00:00:00Z', ElapsedTime: '90000',
      InternationalizedString: '', BooleanArray: 'true, false', Int32Array: '1 2\n3', Float32Array: '[0.5, "NaN"]', Float64Array: '1e-45;2', StringArray: 'a\n\nb',
      DateTimeArray: '1970-01-01T00:00:00Z',
    };
    const typed = {
      Boolean: true, Int32: -2147483648, Float32: 0.1, Float64: 'NaN', String: '😀', DateTime: '1601-01-01T00:00:00Z', ElapsedTime: 90000, InternationalizedString: '',
      BooleanArray: [true, false], Int32Array: [1, 2, 3], Float32Array: [0.5, 'NaN'], Float64Array: [1e-45, 2], StringArray: ['a', '', 'b'],
      DateTimeArray: ['1970-01-01T00:00:00Z'],
    };
    for (const [type, text] of Object.entries(cases)) {
      await page.getByLabel('Type', { exact: true }).selectOption(type);
      if (type !== 'Boolean') await value(page).fill(text);
      const handle = { galaxyId: 1, platformId: 1, engineId: 2, objectId: 5, object: 'TestChildObject', primitiveId: 2, attributeId: 155, propertyId: 10, attribute: 'TestInt' };
      const answer = await fetch(`${server.url}/v1/write`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ handle, type, value: typed[type] }) });
      assert.equal(answer.status, 200, type);
      await waitForHex(page, Buffer.from(await answer.arrayBuffer()).toString('hex'));
      const last = (await fields(page)).at(-1);
      assert.equal(last.offset + last.length, (await shownHex(page)).length / 2, type);
    }
  },

  async 'what is wrong stands at its field, quoted as typed'({ open }) {
    const page = await open();
    await waitForHex(page, body);
    await value(page).fill('9007199254740993');
    const error = page.locator('.form .error:visible');
    await error.waitFor();
    assert.match(await error.textContent(), /9007199254740993/);
    assert.match(await error.textContent(), /-2147483648/);
    assert.equal(await value(page).getAttribute('aria-invalid'), 'true');
    assert.ok((await value(page).getAttribute('aria-describedby')).includes(await error.getAttribute('id')));
    // The last good bytes stay, dimmed, and the page says that they are not these.
    assert.equal(await shownHex(page), body);
    assert.ok(await page.locator('.body-view.stale').isVisible());
    assert.match(await page.locator('.problem').textContent(), /last good/);

    await value(page).fill('5');
    await page.getByLabel('Platform').fill('65536');
    await page.getByLabel('Platform').and(page.locator('[aria-invalid="true"]')).waitFor();
    assert.equal(await value(page).getAttribute('aria-invalid'), null);
    await page.getByLabel('Platform').fill('1');
    await page.locator('.problem').waitFor({ state: 'detached' });
    await waitForHex(page, body.replace('78563412', '05000000'));
    assert.equal(await page.locator('.form .error:visible').count(), 0);
  },

  async 'no number passes through the browser on its way'({ open }) {
    const page = await open();
    await waitForHex(page, body);
    await page.getByLabel('Type', { exact: true }).selectOption('Float32');
    await value(page).fill('1.00000017881393432617187499');
    await waitForHex(page, `${body.slice(0, 34)}030100803f${body.slice(44)}`);
    await value(page).fill('-0.0');
    await waitForHex(page, `${body.slice(0, 34)}0300000080${body.slice(44)}`);
    await page.getByLabel('Type', { exact: true }).selectOption('Int32');
    for (const text of ['1.0', '1e2', '007', 'true', '"5"', '[5]', 'null', '']) {
      await value(page).fill('1');
      await waitForHex(page, body.replace('78563412', '01000000'));
      await value(page).fill(text);
      await page.locator('.form .error:visible').first().waitFor();
    }
  },

  async 'a handle by its 20 bytes, and by signatures'({ open }) {
    const page = await open();
    await waitForHex(page, body);
    await page.getByText('20 bytes').click();
    await page.getByLabel('Handle bytes').fill('01 00 0100 0200 0500 36d7 0200 9b00 0a00 3eda 0000');
    await waitForHex(page, body);
    await page.getByLabel('Handle bytes').fill('0100');
    await page.locator('.form .error:visible').waitFor();
    await page.getByText('Ids and names').click();
    await waitForHex(page, body);
    await page.getByRole('button', { name: 'Give its signature' }).first().click();
    await page.getByLabel('Object signature', { exact: true }).fill('0x1234');
    await waitForHex(page, body.replace('36d7', '3412'));
  },

  async 'another way to give the handle starts from the one that stands there'({ open }) {
    const page = await open();
    await waitForHex(page, body);
    for (const [i, what, name, other] of [[0, 'Object', 'TestChildObject', '0xd736'], [1, 'Attribute', 'TestInt', '0xda3e']]) {
      const signature = page.getByLabel(`${what} signature`, { exact: true });
      await page.getByRole('button', { name: 'Give its signature' }).nth(i).click();
      await page.waitForFunction(([label, text]) => Array.from(document.querySelectorAll('label')).some((l) => l.textContent === label && l.control.value === text), [`${what} signature`, other]);
      await page.getByRole('button', { name: 'Give its name' }).click();
      assert.equal(await page.getByLabel(`${what} name`).inputValue(), name, 'the name is still known');
      await page.getByRole('button', { name: 'Give its signature' }).nth(i).click();
      await page.waitForFunction(([label, text]) => Array.from(document.querySelectorAll('label')).some((l) => l.textContent === label && l.control.value === text), [`${what} signature`, other]);
      await signature.fill('0x1234');
      await page.getByRole('button', { name: 'Give its name' }).click();
      assert.equal(await page.getByLabel(`${what} name`).inputValue(), '', 'another signature has no known name');
      await page.getByLabel(`${what} name`).fill(name);
    }
    await waitForHex(page, body);
    await page.getByText('20 bytes').click();
    const bytes = page.getByLabel('Handle bytes');
    await page.waitForFunction(() => Array.from(document.querySelectorAll('input')).some((i) => i.value.startsWith('01000100')));
    assert.equal(await bytes.inputValue(), `010001000200${body.slice(6, 34)}`);
    await waitForHex(page, body);
    await page.getByText('Ids and names').click();
    await page.getByLabel('Type', { exact: true }).selectOption('Int32Array');
    await page.getByText('20 bytes').click();
    await page.waitForFunction(() => Array.from(document.querySelectorAll('input')).some((i) => /^01000100.*ffff$/.test(i.value)));
  },

  async 'a large array stays usable'({ open }) {
    const page = await open();
    await waitForHex(page, body);
    await page.getByLabel('Type', { exact: true }).selectOption('BooleanArray');
    await value(page).fill(Array(65535).fill('true').join(' '));
    await page.getByRole('button', { name: /Show 4,096 more of 130,092 bytes/ }).waitFor({ timeout: 15_000 });
    assert.equal(await page.locator('.byte').count(), 1024);
    await page.getByRole('button', { name: /Show 4,096 more/ }).click();
    assert.equal(await page.locator('.byte').count(), 5120);
    assert.equal(await page.evaluate(() => document.activeElement.dataset.i), '1024', 'the keyboard goes on where the new bytes begin');
    assert.equal(await page.locator('.field-table tbody tr').count(), 200);
    await page.getByRole('button', { name: /Show 2,000 more of [\d,]+ fields/ }).click();
    assert.equal(await page.locator('.field-table tbody tr').count(), 2200);
    await page.locator('form textarea').fill(Array(65536).fill('true').join(' '));
    await page.locator('.form .error:visible').waitFor({ timeout: 15_000 });
  },
};
