// Bytes and fields point at each other, by mouse and by keyboard.

import assert from 'node:assert/strict';
import { body, waitForHex } from '../lib/page.mjs';

const hot = (page) => page.evaluate(() => ({
  bytes: Array.from(document.querySelectorAll('.seg.hot .byte'), (b) => Number(b.dataset.i)),
  row: document.querySelector('.field-table tr.hot .c-name')?.textContent.trim() ?? null,
  readout: document.querySelector('.readout').textContent,
}));

export const tests = {
  async 'from a byte to its field'({ open }) {
    const page = await open();
    await waitForHex(page, body);
    await page.hover('[data-i="14"]');
    const { bytes, row, readout } = await hot(page);
    assert.deepEqual(bytes, [13, 14]);
    assert.equal(row, 'attribute signature');
    assert.match(readout, /bytes 13 to 14/);
    assert.match(readout, /0xda3e/);
    assert.match(readout, /testint/);
    await page.mouse.move(5, 400);
    assert.deepEqual((await hot(page)).bytes, []);
  },

  async 'from a field to its bytes, over a line of the sheet'({ open }) {
    const page = await open();
    await waitForHex(page, body);
    await page.hover('.field-table tr:nth-child(9)');
    const { bytes, row } = await hot(page);
    assert.equal(row, 'attribute index');
    assert.deepEqual(bytes, [15, 16]);
  },

  async 'the keyboard walks bytes and fields'({ open }) {
    const page = await open();
    await waitForHex(page, body);
    assert.equal(await page.locator('.sheet-rows [tabindex="0"]').count(), 1, 'one stop for Tab in the sheet');
    await page.locator('.sheet-rows [tabindex="0"]').focus();
    const at = () => page.evaluate(() => Number(document.activeElement.dataset.i));
    const press = async (key, want) => {
      await page.keyboard.press(key);
      assert.equal(await at(), want, key);
    };
    await press('ArrowRight', 1);
    await press('ArrowDown', 17);
    await press('PageDown', 18);
    await press('PageDown', 22);
    await press('PageUp', 18);
    await press('End', 31);
    await press('Home', 16);
    await press('Control+End', 39);
    await press('ArrowRight', 39);
    await press('Control+Home', 0);
    await press('ArrowLeft', 0);
    await press('PageDown', 1);
    assert.equal((await hot(page)).row, 'version');
    assert.match(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), /01, offset 1, version/);
    await page.keyboard.press('Enter');
    assert.equal(await page.locator('.field-table tr.picked .c-name').textContent(), 'version');
    assert.equal(await page.locator('.field-table [aria-pressed="true"]').count(), 1);

    assert.equal(await page.locator('.field-table [tabindex="0"]').count(), 1, 'one stop for Tab in the list');
    await page.locator('.field-table [tabindex="0"]').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    assert.deepEqual((await hot(page)).bytes, [3, 4]);
    await page.keyboard.press('End');
    assert.deepEqual((await hot(page)).bytes, [36, 37, 38, 39]);
    await page.keyboard.press('Enter');
    assert.equal(await page.locator('.field-table tr.picked .c-name').textContent(), 'write index');
  },

  async 'what is pinned stays while the body changes'({ open }) {
    const page = await open();
    await waitForHex(page, body);
    await page.click('[data-i="19"]');
    assert.equal(await page.locator('.field-table tr.picked .c-name').textContent(), 'value');
    await page.getByLabel('Value', { exact: true }).fill('7');
    await waitForHex(page, body.replace('78563412', '07000000'));
    assert.equal(await page.locator('.field-table tr.picked .c-name').textContent(), 'value');
    assert.match(await page.locator('.readout').textContent(), /07 00 00 00/);
  },
};
