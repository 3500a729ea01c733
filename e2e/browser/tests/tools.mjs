// Compare, replay, learn, bench and the layout.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '../lib/server.mjs';
import { body, waitForHex } from '../lib/page.mjs';

const other = body.replace('78563412', '07000000');

export const tests = {
  async 'compare shows what differs, field by field'({ open }) {
    const page = await open('/#/compose');
    await waitForHex(page, body);
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await page.getByLabel('Second body', { exact: true }).fill(other);
    await page.getByText('1 field differs').waitFor();
    const rows = await page.locator('.diff-table tbody tr').evaluateAll((trs) => trs.map((tr) => [tr.className.match(/state-(\w+)/)[1], tr.textContent]));
    assert.equal(rows.length, 15);
    const differing = rows.filter(([state]) => state === 'differs');
    assert.equal(differing.length, 1);
    assert.match(differing[0][1], /value.*305419896.*7/);
    const marked = await page.locator('.compare-side').evaluateAll((sides) => sides.map((s) => Array.from(s.querySelectorAll('.byte.marked'), (b) => Number(b.dataset.i))));
    assert.deepEqual(marked, [[18, 19, 20, 21], [18, 19, 20, 21]]);
    await page.getByText('Only what differs').click();
    assert.equal(await page.locator('.diff-table tbody tr:visible').count(), 1);
    await page.hover('.compare-side:first-child [data-i="19"]');
    assert.equal(await page.locator('.seg.hot').count(), 2, 'lit in both');
    await page.getByLabel('Second body', { exact: true }).fill(body);
    await page.getByText('The same bytes').waitFor();
    await page.getByLabel('Second body', { exact: true }).fill('41');
    await page.getByText('only in the second').first().waitFor();
    await page.getByLabel('Second body', { exact: true }).fill('3701');
    await page.locator('.form .error:visible').waitFor();
  },

  async 'replay puts other values in and keeps the rest'({ open }) {
    // A capture that the assumed layout does not explain: another command and another tail order.
    const capture = `99${body.slice(2, 44)}000000000000000000000000ffff00000000`;
    const page = await open('/#/replay');
    await page.getByLabel('Captured write', { exact: true }).fill(capture);
    await page.getByLabel('The value in it').fill('305419896');
    await page.getByLabel('New value', { exact: true }).fill('-2');
    await page.getByText('One body').waitFor();
    await waitForHex(page, `${capture.slice(0, 36)}feffffff${capture.slice(44)}`, '.result');
    await page.getByRole('button', { name: 'Add another' }).click();
    await page.getByLabel('New value', { exact: true }).nth(1).fill('7');
    await page.getByText('2 bodies').waitFor();
    // A value that does not stand there is refused, and what stands there is shown.
    await page.getByLabel('The value in it').fill('1');
    await page.locator('.problem').waitFor();
    assert.match(await page.locator('.problem').textContent(), /78563412|78 56 34 12|305419896/);
  },

  async 'replay of a string rewrites its lengths'({ open }) {
    const hello = '370100050036d702009b000a001a9400000510000000' + '0c000000480065006c006c006f000000' + 'ffff00000000000000000700000001000000';
    const page = await open(`/#/replay?hex=${hello}`);
    await page.waitForFunction(() => Array.from(document.querySelectorAll('textarea')).some((t) => t.value === 'Hello'));
    await page.getByLabel('New value', { exact: true }).fill('Hi');
    await waitForHex(page, `${hello.slice(0, 36)}0a00000006000000480069000000ffff00000000000000000700000001000000`, '.result');
  },

  async 'learn finds a layout, and a server takes it'({ open }) {
    const page = await open('/#/learn', { acceptDownloads: true });
    await page.getByRole('button', { name: 'Try two examples' }).click();
    await page.getByText('A layout reproduces all 2 captures').waitFor();
    assert.ok((await page.locator('.plain-table .badge.is-learned').count()) > 3);
    const waiting = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download layout.json' }).click();
    const file = join(mkdtempSync(join(tmpdir(), 'mxrest-learn-')), 'layout.json');
    await (await waiting).saveAs(file);
    const layout = JSON.parse(readFileSync(file, 'utf8'));
    assert.equal(layout.command, 0x37);
    const taught = await startServer(`--layout=${file}`);
    const shown = await open('/#/layout', { base: taught.url });
    await shown.getByText('From a layout file').waitFor();
  },

  async 'learn names the captures that contradict each other'({ open }) {
    const page = await open('/#/learn');
    await page.getByRole('button', { name: 'Try two examples' }).click();
    await page.getByText('A layout reproduces').waitFor();
    const second = page.getByLabel('Captured body', { exact: true }).nth(1);
    await second.fill((await second.inputValue()).replace(/^37/, '38'));
    await page.getByRole('button', { name: 'Learn the layout' }).click();
    await page.getByText('No layout fits all of them').waitFor();
    const said = await page.locator('.problem').textContent();
    assert.match(said, /first/);
    assert.match(said, /second/);
    assert.match(said, /0x37.*0x38|0x38.*0x37/);
    await second.fill('zz');
    await page.getByRole('button', { name: 'Learn the layout' }).click();
    await page.locator('.form .error:visible').waitFor();
  },

  async 'bench: bars beside the reference, and the run’s age'({ open }) {
    const page = await open('/#/bench');
    await page.locator('.bench-table').first().waitFor({ timeout: 60_000 });
    const text = await page.locator('#main').textContent();
    assert.match(text, /Counted (just now|\d+ (seconds|minutes|hours) ago)/);
    assert.match(text, /gate holds/);
    assert.ok((await page.locator('.fill.theirs').count()) >= 8);
    const widest = await page.locator('.fill.theirs').evaluateAll((nodes) => Math.max(...nodes.map((n) => n.getBoundingClientRect().width)));
    assert.ok(widest > 50, `${widest} pixels`);
  },

  async 'the layout in force'({ open }) {
    const page = await open('/#/layout');
    await page.locator('.layout-table').waitFor();
    const rows = await page.locator('.layout-table tbody tr').evaluateAll((trs) => trs.map((tr) => Array.from(tr.children, (c) => c.textContent)));
    const by = Object.fromEntries(rows.map(([name, ...rest]) => [name, rest]));
    assert.equal(by.command[0], '0x37');
    assert.equal(by['kinds.Int32Array'][0], '0x42');
    assert.ok(rows.every((r) => r[3] === 'assumed'));

    const file = join(mkdtempSync(join(tmpdir(), 'mxrest-layout-')), 'layout.json');
    writeFileSync(file, JSON.stringify({ kinds: { Int32: 0x22 } }));
    const configured = await startServer(`--layout=${file}`);
    const there = await open('/#/layout', { base: configured.url });
    await there.locator('.badge.is-configured').first().waitFor();
    await there.getByRole('link', { name: 'Compose', exact: true }).click();
    await waitForHex(there, `${body.slice(0, 34)}22${body.slice(36)}`);
    assert.equal(await there.locator('.seg.is-configured').count(), 1);
  },
};
