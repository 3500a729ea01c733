// The keyboard's place: nothing that is pressed lets it fall out of the page.

import assert from 'node:assert/strict';

const at = (page) => page.evaluate(() => { const a = document.activeElement; return a.labels?.[0]?.textContent ?? a.textContent; });
const inSight = (page) => page.evaluate(() => { const r = document.activeElement.getBoundingClientRect(); return r.top >= 0 && r.bottom <= innerHeight; });

export const tests = {
  async 'learn by Enter: to the heading of what came of it, in sight'({ open }) {
    for (const viewport of [{ width: 1440, height: 700 }, { width: 390, height: 700 }]) {
      const page = await open('/#/learn', { viewport });
      await page.getByRole('button', { name: 'Try two examples' }).focus();
      await page.keyboard.press('Enter');
      await page.waitForFunction(() => document.activeElement.tagName === 'H2');
      assert.match(await at(page), /A layout reproduces all 2 captures/);
      const second = page.getByLabel('Captured body', { exact: true }).nth(1);
      await second.fill((await second.inputValue()).replace(/^37/, '38'));
      await page.getByRole('button', { name: 'Learn the layout' }).focus();
      await page.keyboard.press('Enter');
      await page.waitForFunction(() => document.activeElement.textContent === 'No layout fits all of them');
      assert.ok(await inSight(page), `${viewport.width} pixels: the heading is in sight`);
      await second.fill('zz');
      await page.getByRole('button', { name: 'Learn the layout' }).focus();
      await page.keyboard.press('Enter');
      await page.waitForFunction(() => document.activeElement.tagName === 'TEXTAREA');
      assert.ok(await second.evaluate((s) => document.activeElement === s), 'to the capture that is wrong');
    }
  },

  async 'an example leaves the keyboard at what it filled'({ open }) {
    const page = await open('/');
    for (const [view, button, label] of [['read', 'Advise', 'Message body'], ['compare', 'Another value', 'First body'], ['replay', 'Try an example', 'Captured write']]) {
      await page.goto(`${page.seen.base}/#/${view}`);
      await page.getByRole('button', { name: button, exact: true }).focus();
      await page.keyboard.press('Enter');
      await page.locator('.byte:visible').first().waitFor();
      assert.ok((await at(page)).startsWith(label), `${view}: ${await at(page)}`);
    }
  },

  async 'the skip link stays in the view'({ open }) {
    const page = await open('/#/read');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForTimeout(100);
    assert.ok(await page.getByRole('heading', { name: 'Read a body' }).isVisible());
  },
};
