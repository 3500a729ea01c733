// A result is given out only while it belongs to what stands in the form: not while that is wrong, and not before its answer has come.

import assert from 'node:assert/strict';
import { body, clipboard, shownHex, waitForHex } from '../lib/page.mjs';

const permissions = { permissions: ['clipboard-read', 'clipboard-write'] };
const value = (page) => page.getByLabel('Value', { exact: true });
const seven = body.replace('78563412', '07000000');

/** Presses every button that would hand on a result, by keyboard; nothing may reach the clipboard or another view. */
async function refuses(page, within, selector) {
  await page.evaluate(() => navigator.clipboard.writeText('untouched'));
  const at = page.url();
  const buttons = page.locator(`${within} ${selector}`).filter({ visible: true });
  const n = await buttons.count();
  assert.ok(n > 0, `no ${selector} in ${within}`);
  for (let i = 0; i < n; i += 1) {
    const button = buttons.nth(i);
    const name = await button.textContent();
    assert.equal(await button.getAttribute('aria-disabled'), 'true', name);
    const why = await button.evaluate((b) => document.getElementById(b.getAttribute('aria-describedby'))?.textContent ?? '');
    assert.notEqual(why, '', `${name} says why`);
    await button.focus();
    await page.keyboard.press('Enter');
    assert.ok(await button.evaluate((b) => document.activeElement === b), `${name} keeps the keyboard`);
    await page.waitForFunction((text) => document.getElementById('live').textContent === text, why);
  }
  assert.equal(await clipboard(page), 'untouched');
  assert.equal(page.url(), at);
}

/** Holds answers of an operation back until they are let go. Returns go(). */
async function held(page, path) {
  let go;
  const gate = new Promise((done) => { go = done; });
  await page.route(`**/${path}`, async (route) => { await gate; await route.continue().catch(() => {}); });
  return async () => { go(); await page.unroute(`**/${path}`); };
}

export const tests = {
  async 'compose gives out no older body while the value is wrong'({ open }) {
    const page = await open('/', permissions);
    await waitForHex(page, body);
    await value(page).fill('2147483648');
    await page.locator('.body-view.stale').waitFor();
    await refuses(page, '.body-view', '.bar .gives');
    assert.match(await page.locator('.handout-note:visible').textContent(), /last good body/);
    await value(page).fill('7');
    await waitForHex(page, seven);
    await page.locator('[data-copy="hex"]').click();
    await page.waitForFunction(async (want) => (await navigator.clipboard.readText()) === want, seven);
    assert.equal(await page.locator('[aria-disabled]').count(), 0);
  },

  async 'compose gives out no older body before the answer has come'({ open }) {
    const page = await open('/', permissions);
    await waitForHex(page, body);
    const go = await held(page, 'v1/write/explain');
    await value(page).fill('7');
    await page.waitForTimeout(200);
    await refuses(page, '.body-view', '.bar .gives');
    await go();
    await waitForHex(page, seven);
    await page.waitForFunction(() => !document.querySelector('[aria-disabled]'));
  },

  async 'an answer that comes after the next change is not shown'({ open }) {
    const page = await open('/', permissions);
    await waitForHex(page, body);
    const go = await held(page, 'v1/write/explain');
    await value(page).fill('7');
    await page.waitForTimeout(200); // the request for 7 is under way
    // Typed on without a pause, so that no newer request starts while the answer to 7 comes.
    await page.evaluate(() => {
      const input = Array.from(document.querySelectorAll('label')).find((l) => l.textContent === 'Value').control;
      const type = () => { input.value = '2147483648'; input.dispatchEvent(new Event('input', { bubbles: true })); };
      type();
      window.typing = setInterval(type, 20);
    });
    await go();
    await page.waitForTimeout(300);
    assert.equal(await shownHex(page), body, 'the answer to 7 came too late');
    assert.equal(await page.locator('[data-copy="hex"]').getAttribute('aria-disabled'), 'true');
    await page.evaluate(() => clearInterval(window.typing));
    await page.locator('.body-view.stale').waitFor();
  },

  async 'read and compare take no late answer'({ open }) {
    const page = await open(`/#/read?hex=${body}`, permissions);
    await waitForHex(page, body);
    let go = await held(page, 'v1/decode/text');
    await page.getByLabel('Message body', { exact: true }).fill(seven);
    await page.waitForTimeout(250);
    await refuses(page, '.body-view', '.bar .gives');
    await page.getByLabel('Message body', { exact: true }).fill('');
    await go();
    await page.getByText('Paste a body, or try one').waitFor();
    await page.waitForTimeout(200);
    assert.equal(await page.locator('.body-view:visible').count(), 0);

    const two = await open(`/#/compare?left-hex=${body}&right-hex=${seven}`);
    await two.getByText('1 field differs').waitFor();
    go = await held(two, 'v1/diff');
    await two.getByLabel('Second body', { exact: true }).fill(body);
    await two.waitForTimeout(250);
    assert.ok(await two.locator('.result.waiting').isVisible());
    await two.getByLabel('Second body', { exact: true }).fill('');
    await go();
    await two.waitForTimeout(300);
    assert.equal(await two.locator('.diff-table:visible').count(), 0);
  },

  async 'replay gives out no bodies of older input'({ open }) {
    const page = await open(`/#/replay?hex=${body}&type=Int32Array&was=1&new=7`, permissions);
    await page.locator('.problem').waitFor();
    await page.getByLabel('Its type').selectOption('Int32');
    await page.getByLabel('The value in it').fill('305419896');
    await page.getByLabel('New value', { exact: true }).fill('7');
    await page.getByText('One body').waitFor();
    const go = await held(page, 'v1/replay');
    await page.getByLabel('New value', { exact: true }).fill('8');
    await page.waitForTimeout(250);
    await refuses(page, '.result', '.bar .gives');
    await go();
    await waitForHex(page, body.replace('78563412', '08000000'), '.result');
    await page.waitForFunction(() => !document.querySelector('[aria-disabled]'));
  },

  async 'learn marks its result old once a capture is edited, and gives no download'({ open }) {
    const page = await open('/#/learn', permissions);
    await page.getByRole('button', { name: 'Try two examples' }).click();
    await page.getByText('A layout reproduces all 2 captures').waitFor();
    await page.getByLabel('Client token', { exact: true }).nth(1).fill('9');
    await page.locator('.result.stale').waitFor();
    await refuses(page, '.result', '.gives');
    assert.match(await page.locator('.handout-note:visible').textContent(), /before/);
    await page.getByRole('button', { name: 'Learn the layout' }).click();
    await page.getByText('No layout fits all of them').waitFor();
    assert.match(await page.locator('.result .note:visible').textContent(), /one plant.*remove one/);
    assert.equal(await page.locator('.result.stale').count(), 0);
    await page.getByLabel('Client token', { exact: true }).nth(1).fill('8');
    await page.locator('.result.stale').waitFor();
    const go = await held(page, 'v1/layout/learn');
    await page.getByRole('button', { name: 'Learn the layout' }).click();
    await page.getByLabel('Write index', { exact: true }).nth(1).fill('3');
    await go();
    await page.waitForTimeout(300);
    assert.equal(await page.getByText('A layout reproduces').count(), 0, 'the answer to older captures came too late');
  },
};
