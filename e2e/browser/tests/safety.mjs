// Text from users is text; keys stay in memory; the page works under a prefix.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '../lib/server.mjs';
import { body, fields, waitForHex } from '../lib/page.mjs';

const nasty = '<img src=x onerror="alert(1)"><script>alert(2)</script>&amp;{{7*7}}';

export const tests = {
  async 'names with markup show as typed'({ open }) {
    const page = await open();
    await waitForHex(page, body);
    await page.getByLabel('Object name').fill(nasty);
    await page.waitForFunction(() => document.querySelector('.field-table').textContent.includes('<img'));
    const how = (await fields(page)).find((f) => f.name === 'object signature').how;
    assert.ok(how.includes(nasty.toLowerCase()), how);
    await page.getByLabel('Type', { exact: true }).selectOption('String');
    await page.getByLabel('Value', { exact: true }).fill(nasty);
    await page.waitForFunction(() => Array.from(document.querySelectorAll('.value'), (v) => v.textContent).some((t) => t.includes('{{7*7}}')));
    assert.equal(await page.locator('#main img, #main script').count(), 0);
  },

  async 'a key is asked for, used, and forgotten'({ open }) {
    const key = 'k'.repeat(40);
    const file = join(mkdtempSync(join(tmpdir(), 'mxrest-keys-')), 'keys');
    writeFileSync(file, `browser ${createHash('sha256').update(key).digest('hex')}\n`, { mode: 0o600 });
    const keyed = await startServer(`--api-keys=${file}`);
    const page = await open('/', { base: keyed.url, permissions: ['clipboard-read', 'clipboard-write'] });
    const keyField = page.getByLabel('API key');
    await keyField.waitFor();
    await keyField.fill('wrong');
    await page.getByRole('button', { name: 'Use this key' }).click();
    await page.getByText('That key was not accepted.').waitFor();
    assert.equal(await page.locator('#live').textContent(), '', 'the trying is over');
    await keyField.fill(key);
    await page.getByRole('button', { name: 'Use this key' }).click();
    await waitForHex(page, body);
    assert.ok(!(await keyField.isVisible()));
    const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href]));
    assert.ok(!kept.includes(key), kept);
    await page.locator('[data-copy="curl"]').click();
    await page.waitForFunction(async () => (await navigator.clipboard.readText()).includes('curl'));
    const curl = await page.evaluate(() => navigator.clipboard.readText());
    assert.ok(curl.includes('$MXREST_KEY') && !curl.includes(key), curl);
    await page.reload();
    await keyField.waitFor();
    assert.ok(!keyed.log().includes(key), 'the key is not in the log');
  },

  async 'it works under a prefix'({ open, server }) {
    const proxy = http.createServer((req, res) => {
      if (!req.url.startsWith('/tools/mx/')) return res.writeHead(404).end();
      const up = http.request(server.url + req.url.slice('/tools/mx'.length), { method: req.method, headers: req.headers }, (answer) => {
        res.writeHead(answer.statusCode, answer.headers);
        answer.pipe(res);
      });
      return req.pipe(up);
    });
    await new Promise((done) => { proxy.listen(0, '127.0.0.1', done); });
    try {
      const base = `http://127.0.0.1:${proxy.address().port}`;
      const page = await open('/tools/mx/', { base });
      await waitForHex(page, body);
      const docs = await open('/tools/mx/docs/', { base });
      await docs.locator('.opblock').first().waitFor({ timeout: 20_000 });
    } finally {
      proxy.closeAllConnections();
      proxy.close();
    }
  },

  async 'a server that is gone is said to be gone'({ open }) {
    const page = await open();
    await waitForHex(page, body);
    await page.route('**/v1/**', (route) => route.abort());
    await page.getByLabel('Value', { exact: true }).fill('9');
    await page.getByText('The server could not be reached').waitFor();
    await page.unroute('**/v1/**');
    await page.getByLabel('Value', { exact: true }).fill('10');
    await waitForHex(page, body.replace('78563412', '0a000000'));
    page.seen.errors.length = 0; // the browser's own note of the aborted request
  },
};
