// Links: the state stands after the #, with or without values, and none of it reaches the server.

import assert from 'node:assert/strict';
import { body, clipboard, settled, waitForHex } from '../lib/page.mjs';

const permissions = { permissions: ['clipboard-read', 'clipboard-write'] };

async function link(page, which) {
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await page.locator(`[data-share="${which}"]`).click();
  await page.waitForFunction(async () => (await navigator.clipboard.readText()) !== '');
  return clipboard(page);
}

export const tests = {
  async 'a write with values opens as it was'({ open, server }) {
    const page = await open('/', permissions);
    await waitForHex(page, body);
    await page.getByLabel('Object name').fill('Пеć & <i>?#');
    await page.getByLabel('Type', { exact: true }).selectOption('StringArray');
    await page.getByLabel('Value', { exact: true }).fill('a&b=c#d\n"quoted"\n😀');
    await page.getByText('Timestamped write').click();
    await page.getByLabel('Timestamp', { exact: true }).fill('2024-01-01T00:00:00.1234567Z');
    await settled(page, '4294967295', () => page.getByLabel('Client token', { exact: true }).fill('4294967295'));
    const hex = await page.locator('.sheet-rows').evaluate((n) => Array.from(n.querySelectorAll('[role=gridcell]'), (c) => c.textContent).join(''));
    assert.match(hex, /ffffffff00000000$/);
    const url = await link(page, 'values');
    assert.ok(url.startsWith(`${server.url}/#/compose?`), url);
    const other = await open(url.slice(server.url.length));
    await waitForHex(other, hex);
    assert.equal(await other.getByLabel('Object name').inputValue(), 'Пеć & <i>?#');
    for (const r of [...page.seen.requests, ...other.seen.requests]) assert.ok(!/[#?].*write|TestChild|quoted/.test(r.url()), r.url());
    assert.ok(!/quoted|compose|2024-01-01T00:00:00.1234567/.test(server.log()), 'the log holds nothing of the link');
  },

  async 'a number keeps its digits through a link'({ open, server }) {
    const page = await open('/', permissions);
    await waitForHex(page, body);
    await page.getByLabel('Type', { exact: true }).selectOption('Float32Array');
    // Read as a double on the way, the first would round to the next Float32.
    await settled(page, '1.00000017881393432617187499', () => page.getByLabel('Value', { exact: true }).fill('1.00000017881393432617187499\n1e1\n-0.0\n0.10'));
    await page.waitForFunction(() => /0100803f000020410000008/.test(Array.from(document.querySelectorAll('.sheet-rows [role=gridcell]'), (c) => c.textContent).join('')));
    const other = await open((await link(page, 'values')).slice(server.url.length));
    await waitForHex(other, await page.locator('.sheet-rows').evaluate((n) => Array.from(n.querySelectorAll('[role=gridcell]'), (c) => c.textContent).join('')));
    assert.equal(await other.getByLabel('Value', { exact: true }).inputValue(), '1.00000017881393432617187499\n1e1\n-0.0\n0.10');
  },

  async 'a write without values keeps the handle and the type only'({ open, server }) {
    const page = await open('/', permissions);
    await waitForHex(page, body);
    await settled(page, '77777', () => page.getByLabel('Client token', { exact: true }).fill('77777'));
    const url = await link(page, 'bare');
    assert.ok(!/305419896|77777/.test(decodeURIComponent(url)), url);
    assert.match(decodeURIComponent(url), /TestChildObject/);
    const other = await open(url.slice(server.url.length));
    await other.getByText('No value yet').waitFor();
    assert.equal(await other.locator('.error:visible, .problem, .body-view:visible').count(), 0, 'nothing is wrong before anything is typed');
    assert.equal(await other.getByLabel('Object name').inputValue(), 'TestChildObject');
    const value = other.getByLabel('Value', { exact: true });
    assert.equal(await value.inputValue(), '');
    await value.fill('5');
    await other.locator('.body-view').waitFor();
    assert.equal(await other.getByText('No value yet').isVisible(), false);
    await value.fill('');
    await other.locator('.form .error:visible').waitFor();
  },

  async 'a damaged link says so, and puts nothing in the form'({ open }) {
    const links = {
      '#/compose?write=%7B': /"write".*not JSON/,
      '#/compose?write=null': /write is not an object/,
      '#/compose?write=%5B1%5D': /write is not an object/,
      '#/compose?write=%7B%22type%22%3A%22Nope%22%7D': /no type "Nope"/,
      '#/compose?write=%7B%22handle%22%3A%7B%7D%7D': /no type is named/,
      '#/compose?write=%7B%22type%22%3A%22StringArray%22%2C%22value%22%3A%5B1%5D%7D': /value is no StringArray/,
      '#/compose?write=%7B%22type%22%3A%22Int32%22%2C%22handel%22%3A%7B%7D%7D': /"handel"/,
      '#/nowhere?x=1': /no view "nowhere"/,
      '#/read?x=1': /"x"/,
      '#/compare?hex=37': /"hex"/,
      '#/replay?type=Nope': /no type "Nope"/,
      '#/learn?captures=7': /not a list/,
      '#/learn?captures=%5B%7B%22type%22%3A%22Int32%22%2C%22value%22%3A%7B%7D%7D%5D': /value is no Int32/,
      '#/layout?x=1': /"x"/,
      '#%%%': /no view/,
    };
    for (const [fragment, why] of Object.entries(links)) {
      const page = await open(`/${fragment}`);
      await page.getByText('This link cannot be read').waitFor();
      assert.match(await page.getByRole('alert').textContent(), why, fragment);
      assert.ok(await page.locator('h1').isVisible(), fragment);
      await page.waitForTimeout(200);
      assert.equal(await page.locator('.body-view:visible, .error:visible, .problem').count(), 0, fragment);
      const left = await page.locator('#main input[type=text], #main textarea').evaluateAll((nodes) => nodes.map((n) => n.value).filter(Boolean));
      assert.deepEqual(left, [], fragment);
      await page.getByRole('link', { name: 'Read', exact: true }).click();
      assert.equal(await page.getByText('This link cannot be read').count(), 0, 'gone with the next view');
    }
  },

  async 'learn and replay take a link without values as one'({ open }) {
    const page = await open('/#/learn?captures=%5B%7B%22type%22%3A%22Boolean%22%7D%5D');
    await page.waitForTimeout(200);
    assert.equal(await page.getByLabel('Type written').inputValue(), 'Boolean');
    assert.equal(await page.locator('.error:visible, .problem').count(), 0);
    const other = await open(`/#/replay?hex=${body}&type=Int32&was=305419896&new=1&new=2`);
    await other.getByText('2 bodies').waitFor();
    await other.evaluate((hex) => { location.hash = `#/replay?hex=${hex}&type=Int32`; }, body);
    await other.getByText('The new value is missing').or(other.getByText('What did this capture write?')).waitFor();
    assert.deepEqual(await other.getByLabel('New value', { exact: true }).evaluateAll((nodes) => nodes.map((n) => n.value)), ['']);
  },
};
