// How it looks: axe finds nothing, nothing is wider than the window, both themes and both sizes are kept as pictures.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { phone, wide } from '../lib/browser.mjs';
import { body, picture, waitForHex } from '../lib/page.mjs';

const axeSource = readFileSync(new URL('../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');
const other = body.replace('78563412', '07000000');

/** Each view in a state worth looking at, and how to know that it is there. */
const views = {
  compose: ['#/compose', (page) => waitForHex(page, body)],
  'compose-strings': [`#/compose?write=${encodeURIComponent(JSON.stringify({ handleBytes: '010001000200050036d702009b000a003edaffff', type: 'StringArray', value: ['Open', '', 'Größe 7'], timestamp: '2024-01-01T00:00:00.1234567Z' }))}`, (page) => page.getByText('element 2 text').first().waitFor()],
  'compose-error': [`#/compose?write=${encodeURIComponent(JSON.stringify({ type: 'Int32', value: '5', handle: { galaxyId: 256 } }))}`, (page) => page.locator('.problem').waitFor()],
  'compose-stale': ['#/compose', async (page) => { await waitForHex(page, body); await page.getByLabel('Value', { exact: true }).fill('2147483648'); await page.locator('.body-view.stale').waitFor(); }],
  'compose-no-value': ['#/compose?write=%7B%22type%22%3A%22String%22%7D', (page) => page.getByText('No value yet').waitFor()],
  'link-damaged': ['#/compose?write=%7B', (page) => page.getByText('This link cannot be read').waitFor()],
  'read-foreign': [`#/read?hex=39${body.slice(2)}`, (page) => page.getByText('a plant with another layout').waitFor()],
  'read-empty': ['#/read', (page) => page.getByText('Paste a body').waitFor()],
  read: [`#/read?hex=${body}&object=TestChildObject&attribute=Wrong`, (page) => page.getByText('do not match').waitFor()],
  'read-broken': [`#/read?hex=${body.slice(0, 41)}`.slice(0, -1), (page) => page.getByText('not read').first().waitFor()],
  compare: [`#/compare?left-hex=${body}&right-hex=${other}`, (page) => page.locator('.diff-table tbody tr').first().waitFor()],
  replay: [`#/replay?hex=${body}&type=Int32&was=305419896&new=7&new=8`, (page) => page.getByText('Body 2').first().waitFor()],
  'replay-asking': [`#/replay?hex=39${body.slice(2)}`, (page) => page.getByText('What did this capture write?').waitFor()],
  'learn-stale': ['#/learn', async (page) => { await page.getByRole('button', { name: 'Try two examples' }).click(); await page.getByText('Download layout.json').waitFor(); await page.getByLabel('Client token', { exact: true }).first().fill('9'); await page.locator('.result.stale').waitFor(); }],
  learn: ['#/learn', async (page) => { await page.getByRole('button', { name: 'Try two examples' }).click(); await page.getByText('Download layout.json').waitFor(); }],
  bench: ['#/bench', (page) => page.locator('.bench-table').first().waitFor({ timeout: 30_000 })],
  layout: ['#/layout', (page) => page.locator('.layout-table').waitFor()],
};

async function axe(page) {
  // Through the debugger, not through the page: its policy lets no script of ours in.
  await page.evaluate(`${axeSource}; undefined`);
  const { violations } = await page.evaluate(() => window.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }));
  return violations.map((v) => `${v.id}: ${v.help}: ${v.nodes.slice(0, 3).map((n) => `${n.target.join(' ')} (${n.any[0]?.message ?? n.all[0]?.message ?? ''})`).join('; ')}`);
}

const tests = {};
for (const [name, [fragment, ready]] of Object.entries(views)) {
  for (const [size, viewport] of [['wide', wide], ['phone', phone]]) {
    tests[`${name}, ${size}, light and dark`] = async ({ open }) => {
      const page = await open(`/${fragment}`, { viewport, reducedMotion: 'reduce' });
      await ready(page);
      for (const colorScheme of ['light', 'dark']) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await page.waitForTimeout(150);
        await picture(page, `${name}-${colorScheme}-${size}`);
        // On a phone the colours are those of the wide window; what else changes is the same in both themes.
        if (size === 'wide' || colorScheme === 'light') assert.deepEqual(await axe(page), [], colorScheme);
      }
      const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(over <= 0, `the page is ${over} pixels wider than the window`);
    };
  }
}

tests['the theme is the system’s until it is chosen'] = async ({ open }) => {
  const page = await open('/', { scheme: 'dark' });
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await ground();
  await page.getByRole('button', { name: 'Light', exact: true }).click();
  const light = await ground();
  assert.notEqual(light, dark);
  await page.reload();
  assert.equal(await ground(), light, 'the choice stays');
  await page.getByRole('button', { name: 'As the system' }).click();
  assert.equal(await ground(), dark);
};

tests['families stay apart for colour-blind readers'] = async ({ open }) => {
  const page = await open();
  await waitForHex(page, body);
  const session = await page.context().newCDPSession(page);
  for (const type of ['deuteranopia', 'protanopia', 'tritanopia', 'achromatopsia']) {
    await session.send('Emulation.setEmulatedVisionDeficiency', { type });
    await picture(page, `vision-${type}`, { fullPage: false });
  }
  // Colour is never alone: each field carries its name, each family its name in the legend, each assumed byte its hatch.
  const names = await page.locator('.seg-name').evaluateAll((nodes) => nodes.map((n) => n.textContent).filter(Boolean));
  assert.equal(names.length, 15);
  assert.ok((await page.locator('.legend li').count()) >= 7);
  assert.match(await page.locator('.seg.is-assumed .seg-bytes').first().evaluate((n) => getComputedStyle(n).backgroundImage), /gradient/);
};

export { tests };
