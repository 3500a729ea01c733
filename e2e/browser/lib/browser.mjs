// Chromium, and what every test wants to know of a page: what it asked for, what it was refused, what it said to the console.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const flags = [
  '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update',
  '--disable-sync',
];

export const wide = { width: 1440, height: 1000 };
export const phone = { width: 390, height: 844 };

export class Browser {
  static async start() {
    const self = new Browser();
    self.dir = mkdtempSync(join(tmpdir(), 'mxrest-browser-'));
    // A launched browser gets a fresh profile of its own; dir is for downloads.
    self.browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: flags, downloadsPath: self.dir });
    return self;
  }

  async stop() {
    await this.browser.close();
    rmSync(this.dir, { recursive: true, force: true });
  }

  /** Runs a test with a fresh context. Afterwards no test may have seen a policy violation, a script error, or a request to another host. */
  async inPage(server, run) {
    const opened = [];
    const open = async (path = '/', { viewport = wide, scheme = 'light', base = server.url, expectErrors = false, ...rest } = {}) => {
      const context = await this.browser.newContext({ viewport, colorScheme: scheme, locale: 'en-GB', timezoneId: 'UTC', ...rest });
      await context.addInitScript(() => {
        window.violations = [];
        document.addEventListener('securitypolicyviolation', (e) => window.violations.push(`${e.effectiveDirective}: ${e.blockedURI} ${e.sourceFile}:${e.lineNumber}`));
      });
      const page = await context.newPage();
      page.setDefaultTimeout(30000); // only a broken page reaches it: a busy machine must not
      const seen = { requests: [], errors: [], page, base, expectErrors };
      opened.push({ context, seen });
      page.on('request', (r) => seen.requests.push(r));
      page.on('pageerror', (e) => seen.errors.push(e.message));
      page.on('dialog', (d) => { seen.errors.push(`a dialog: ${d.message()}`); d.dismiss(); });
      page.on('console', (m) => { if (m.type() === 'error' && !/status of 4\d\d/.test(m.text())) seen.errors.push(m.text()); });
      await page.goto(base + path);
      return Object.assign(page, { seen });
    };
    try {
      await run({ open, server, browser: this });
      for (const { seen } of opened) {
        assert.deepEqual(await seen.page.evaluate(() => window.violations), [], 'violations of the Content-Security-Policy');
        assert.deepEqual(seen.errors, [], 'errors in the page');
        const hosts = new Set(seen.requests.map((r) => new URL(r.url())).filter((u) => u.protocol !== 'blob:' && u.protocol !== 'data:').map((u) => u.origin));
        assert.deepEqual([...hosts], [new URL(seen.base).origin], 'hosts that were asked');
      }
    } finally {
      for (const { context } of opened) await context.close();
    }
  }
}
