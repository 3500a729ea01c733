// Reading the page as its user does.

import { join } from 'node:path';

/** The hex that the byte sheet shows. */
export function shownHex(page, within = '#main') {
  return page.locator(`${within} .sheet-rows`).first().evaluate((node) => Array.from(node.querySelectorAll('[role=gridcell]'), (c) => c.textContent).join(''));
}

/** Waits until the byte sheet shows this hex. */
export async function waitForHex(page, hex, within = '#main') {
  await page.waitForFunction(
    ([selector, want]) => {
      const rows = document.querySelector(`${selector} .sheet-rows`);
      return rows && Array.from(rows.querySelectorAll('[role=gridcell]'), (c) => c.textContent).join('') === want;
    },
    [within, hex.replace(/\s+/g, '')],
  ).catch(async (err) => {
    throw new Error(`the sheet shows ${await shownHex(page, within).catch(() => 'nothing')}, not ${hex} (${err.message.split('\n')[0]})`);
  });
}

/** Does something that changes the write, and waits until the answer to a request that holds this text is on the page. */
export async function settled(page, text, change) {
  const answer = page.waitForResponse((r) => r.url().endsWith('/v1/write/explain') && r.request().postData().includes(text));
  await change();
  await (await answer).finished();
  await page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));
}

/** The field list's rows as objects. */
export function fields(page) {
  return page.locator('.field-table tbody tr').evaluateAll((rows) =>
    rows.map((tr) => ({
      name: tr.querySelector('.c-name').textContent.trim(),
      offset: Number(tr.querySelector('.c-offset').textContent),
      length: Number(tr.querySelector('.c-length').textContent),
      hex: tr.querySelector('.c-hex').textContent,
      value: tr.querySelector('.value').textContent,
      how: tr.querySelector('.how')?.textContent ?? '',
      standing: tr.querySelector('.badge').textContent,
    })));
}

/** Keeps a picture for people to look at. */
export function picture(page, name, options = {}) {
  return page.screenshot({ path: join(process.env.SCREENSHOTS, `${name}.png`), fullPage: true, animations: 'disabled', ...options });
}

/** What is on the clipboard; the context needs the permissions clipboard-read and clipboard-write. */
export function clipboard(page) {
  return page.evaluate(() => navigator.clipboard.readText());
}

/** The write of the first case, and its body as the wire format gives it. */
export const write = {
  handle: { galaxyId: 1, platformId: 1, engineId: 2, objectId: 5, object: 'TestChildObject', primitiveId: 2, attributeId: 155, propertyId: 10, attribute: 'TestInt' },
  type: 'Int32',
  value: 305419896,
};
export const body = '370100050036d702009b000a003eda00000278563412ffff00000000000000000000000000000000';
