// Copy as …: each form holds the same bytes, proved by running it where that costs little.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { body, clipboard, settled, waitForHex } from '../lib/page.mjs';

const permissions = { permissions: ['clipboard-read', 'clipboard-write'] };

async function copied(page, form) {
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await page.locator(`[data-copy="${form}"]`).click();
  await page.waitForFunction(async () => (await navigator.clipboard.readText()) !== '');
  return clipboard(page);
}

/** The bytes of a source text by its 0x literals. */
function literals(text) {
  return Array.from(text.matchAll(/0x([0-9a-f]{2})\b/g), (m) => m[1]).join('');
}

function inFolder(run) {
  const dir = mkdtempSync(join(tmpdir(), 'mxrest-copy-'));
  try {
    return run(dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

export const tests = {
  async 'hex, base64 and the languages'({ open }) {
    const page = await open('/', permissions);
    await waitForHex(page, body);
    assert.equal(await copied(page, 'hex'), body);
    assert.equal(Buffer.from(await copied(page, 'base64'), 'base64').toString('hex'), body);

    const c = await copied(page, 'C');
    assert.match(c, /^static const unsigned char body\[40\] = \{\n/);
    assert.equal(literals(c), body);
    const cs = await copied(page, 'C#');
    assert.match(cs, /^byte\[\] body =\n\{\n/);
    assert.equal(literals(cs), body);
    const rust = await copied(page, 'Rust');
    assert.match(rust, /^const BODY: \[u8; 40\] = \[\n/);
    assert.equal(literals(rust), body);

    const go = await copied(page, 'Go');
    assert.equal(literals(go), body);
    inFolder((dir) => {
      writeFileSync(join(dir, 'main.go'), `package main\n\nimport "fmt"\n\n${go}\nfunc main() { fmt.Printf("%x", body) }\n`);
      assert.equal(execFileSync('gofmt', ['-l', dir]).toString(), '', 'what is copied is formatted as gofmt does');
      assert.equal(execFileSync('go', ['run', 'main.go'], { cwd: dir, env: { ...process.env, GOFLAGS: '-mod=mod', GO111MODULE: 'off' } }).toString(), body);
    });
    const python = await copied(page, 'Python');
    assert.equal(execFileSync('python3', ['-c', `${python}\nprint(body.hex(), end="")`]).toString(), body);
  },

  async 'curl gives the same bytes, whatever the names hold'({ open }) {
    const page = await open('/', permissions);
    await waitForHex(page, body);
    const run = async () => {
      const command = await copied(page, 'curl');
      return inFolder((dir) => {
        execFileSync('sh', ['-c', command], { cwd: dir, timeout: 20_000 });
        return readFileSync(join(dir, 'body.bin')).toString('hex');
      });
    };
    assert.equal(await run(), body);
    await page.getByLabel('Object name').fill(`it's $HOME \`id\` "quoted" \\ <b>`);
    await page.getByLabel('Type', { exact: true }).selectOption('String');
    await settled(page, 'rm -rf', () => page.getByLabel('Value', { exact: true }).fill(`'; rm -rf /tmp/none #\n😀`));
    const shown = await copied(page, 'hex');
    assert.notEqual(shown, body);
    assert.equal(await run(), shown);
  },

  async 'replay has a curl command for each body'({ open }) {
    const page = await open(`/#/replay?hex=${body}&type=Int32&was=305419896&new=7&new=8`, permissions);
    await page.getByText('2 bodies').waitFor();
    await page.evaluate(() => navigator.clipboard.writeText(''));
    await page.locator('[data-copy="curl"]').nth(1).click();
    await page.waitForFunction(async () => (await navigator.clipboard.readText()) !== '');
    const command = await clipboard(page);
    inFolder((dir) => {
      execFileSync('sh', ['-c', command], { cwd: dir, timeout: 20_000 });
      const { bodies } = JSON.parse(readFileSync(join(dir, 'replayed.json'), 'utf8'));
      assert.deepEqual(bodies.map((b) => b.hex), [body.replace('78563412', '08000000')]);
    });
  },

  async 'without the clipboard API too'({ open }) {
    const page = await open('/', permissions);
    await waitForHex(page, body);
    await page.evaluate(() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no')); });
    await page.locator('[data-copy="hex"]').click();
    await page.waitForFunction(() => document.getElementById('live').textContent !== '');
    assert.match(await page.locator('#live').textContent(), /Copied 40 bytes as hex/);
    assert.equal(await clipboard(page), body);
  },
};
