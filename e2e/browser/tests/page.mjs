// The page as a whole: offline, headers, keyboard, history; and Swagger UI at /docs.

import assert from 'node:assert/strict';
import { body, picture, waitForHex } from '../lib/page.mjs';

export const tests = {
  // That no other host is asked and no policy broken is checked after every test; here each view is opened for it once more, with everything else cut off.
  async 'all views with every other host cut off'({ open, server }) {
    const page = await open('/');
    await page.context().route((url) => url.origin !== server.url, (route) => route.abort());
    for (const view of ['Read', 'Compare', 'Replay', 'Learn', 'Bench', 'Layout', 'Compose']) {
      await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: view, exact: true }).click();
      await page.locator('h1').waitFor();
      assert.equal(await page.locator('.views [aria-current="page"]').textContent(), view);
      assert.match(await page.title(), /mxrest$/);
    }
    await page.goBack();
    await page.getByRole('heading', { name: 'The layout in force' }).waitFor();
  },

  async 'fonts are its own'({ open }) {
    const page = await open('/');
    await waitForHex(page, body);
    const loaded = await page.evaluate(async () => { await document.fonts.ready; return Array.from(document.fonts).filter((f) => f.status === 'loaded').map((f) => f.family.replaceAll('"', '')); });
    assert.deepEqual(loaded.sort(), ['Archivo', 'Martian Mono']);
  },

  async 'the policy lets no script in'({ open }) {
    const page = await open('/');
    await waitForHex(page, body);
    const outcome = await page.evaluate(() => {
      const out = [];
      try { document.body.innerHTML = '<b>x</b>'; out.push('markup from text'); } catch { /* refused */ }
      const s = document.createElement('script');
      try { s.textContent = 'window.inside = 1'; document.body.append(s); } catch { /* refused */ }
      if (window.inside) out.push('inline script');
      return out;
    });
    assert.deepEqual(outcome, []);
    const violated = await page.evaluate(() => window.violations.splice(0).join('\n'));
    assert.match(violated, /require-trusted-types-for|script-src/);
    page.seen.errors.length = 0; // those were asked for
  },

  async 'the keyboard gets everywhere'({ open }) {
    const page = await open('/');
    await waitForHex(page, body);
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Skip to the content');
    const stops = [];
    for (let i = 0; i < 60; i += 1) {
      await page.keyboard.press('Tab');
      const stop = await page.evaluate(() => { const a = document.activeElement; return `${a.tagName} ${a.getAttribute('aria-label') ?? a.labels?.[0]?.textContent ?? a.textContent}`.trim(); });
      if (stop.startsWith('BODY')) break;
      stops.push(stop);
    }
    for (const want of ['Compose', 'Type', 'Value', 'Object name', 'Timestamped write', 'offset 0, command', 'hex', 'curl', 'with values', 'command']) {
      assert.ok(stops.some((s) => s.includes(want)), `${want} in ${stops.join(' | ')}`);
    }
  },

  async 'the views are all in sight on a narrow phone'({ open }) {
    for (const width of [320, 360]) {
      const page = await open('/#/layout', { viewport: { width, height: 740 } });
      await page.locator('.layout-table').waitFor();
      const cut = await page.locator('.views a').evaluateAll((links) => links.filter((a) => {
        const r = a.getBoundingClientRect();
        const nav = a.parentElement.getBoundingClientRect();
        return r.left < 0 || r.right > innerWidth || r.bottom > nav.bottom + 1 || a.scrollWidth > a.clientWidth;
      }).map((a) => a.textContent));
      assert.deepEqual(cut, [], `${width} pixels`);
      await picture(page, `views-${width}`, { fullPage: false });
    }
  },

  async 'docs: Swagger UI, offline, under its policy, and it calls the API'({ open }) {
    const page = await open('/docs');
    await page.locator('.opblock').first().waitFor({ timeout: 30_000 });
    assert.ok((await page.locator('.opblock').count()) >= 20);
    await page.locator('#operations-encode-explainWrite .opblock-summary').click();
    await page.locator('#operations-encode-explainWrite .execute').click();
    await page.locator('#operations-encode-explainWrite .live-responses-table .response-col_status').getByText('200').waitFor({ timeout: 20_000 });
    await picture(page, 'docs-wide', { fullPage: false });
    const policy = (await (await fetch(page.url())).headers).get('content-security-policy');
    assert.ok(!policy.includes('unsafe'), policy);
  },
};
