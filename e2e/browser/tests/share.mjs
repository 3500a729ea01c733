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

  async 'a write without values keeps the handle and the type only'({ open, server }) {
    const page = await open('/', permissions);
    await waitForHex(page, body);
    await settled(page, '77777', () => page.getByLabel('Client token', { exact: true }).fill('77777'));
    const url = await link(page, 'bare');
    assert.ok(!/305419896|77777/.test(decodeURIComponent(url)), url);
    assert.match(decodeURIComponent(url), /TestChildObject/);
    const other = await open(url.slice(server.url.length));
    await other.waitForFunction(() => document.querySelector('.error:not([hidden])'));
    assert.equal(await other.getByLabel('Object name').inputValue(), 'TestChildObject');
    assert.equal(await other.getByLabel('Value', { exact: true }).inputValue(), '');
  },

  async 'a damaged link says so'({ open }) {
    for (const fragment of ['#/compose?write=%7B', '#/compose?write=null', '#/compose?write=%5B1%5D', '#/nowhere?x=1', '#/compose?write=%7B%22type%22%3A%22Nope%22%7D', '#/replay?type=Nope', '#%%%']) {
      const page = await open(`/${fragment}`);
      await page.waitForTimeout(300);
      assert.ok(await page.locator('h1').isVisible(), fragment);
    }
  },
};
