// What nobody stated is not a statement: values start empty, and what is missing is asked for before it is complained of.

import assert from 'node:assert/strict';
import { body, waitForHex } from '../lib/page.mjs';

export const tests = {
  async 'learn states no value by itself'({ open }) {
    const page = await open('/#/learn');
    const value = page.getByLabel('Value written', { exact: true });
    assert.equal(await value.inputValue(), '');
    assert.match(await value.getAttribute('placeholder'), /305419896/);
    await page.getByLabel('Captured body', { exact: true }).fill(body);
    await page.getByRole('button', { name: 'Learn the layout' }).click();
    await page.getByText('State what this capture wrote').waitFor();
    assert.ok(await value.evaluate((v) => document.activeElement === v), 'the keyboard is where the value is missing');
    await page.getByLabel('Type written').selectOption('Boolean');
    assert.equal(await page.locator('.capture [aria-label="Value written"] :checked').count(), 0);
    await page.getByRole('button', { name: 'Learn the layout' }).click();
    await page.waitForFunction(() => document.activeElement.closest('[role=radiogroup][aria-invalid]'));
    await page.getByLabel('Type written').selectOption('String');
    await page.getByRole('button', { name: 'It is empty' }).click();
    await page.getByRole('button', { name: 'Learn the layout' }).click();
    await page.locator('.problem').first().waitFor();
    assert.equal(await page.getByText('State what this capture wrote').count(), 0, 'an empty text can be stated');
  },

  async 'replay asks for both values, and says when nothing changed'({ open }) {
    const page = await open('/#/replay');
    await page.getByLabel('Captured write', { exact: true }).fill(body);
    await page.getByText('What did this capture write?').waitFor();
    assert.equal(await page.getByLabel('The value in it').inputValue(), '');
    assert.equal(await page.locator('.error:visible, .problem').count(), 0);
    await page.getByLabel('The value in it').fill('305419896');
    await page.getByText('The new value is missing').waitFor();
    assert.equal(await page.getByLabel('New value', { exact: true }).inputValue(), '');
    await page.getByLabel('New value', { exact: true }).fill('305419896');
    await page.getByText('Nothing changed').waitFor();
    assert.match(await page.locator('.body-head').textContent(), /changed: nothing/);
    await page.getByLabel('New value', { exact: true }).fill('7');
    await waitForHex(page, body.replace('78563412', '07000000'), '.result');
    assert.equal(await page.getByText('Nothing changed').count(), 0);
  },
};
