// Runs the tests of tests/*.mjs, one after the other, each in a browser context of its own.

import { readdirSync } from 'node:fs';
import { Browser } from './lib/browser.mjs';
import { startServer, stopServers } from './lib/server.mjs';

const wanted = process.argv.slice(2);
const suites = readdirSync(new URL('tests/', import.meta.url)).filter((f) => f.endsWith('.mjs')).sort();
const browser = await Browser.start();
const server = await startServer();
let passed = 0;
const failed = [];

for (const file of suites) {
  const { tests } = await import(`./tests/${file}`);
  for (const [name, run] of Object.entries(tests)) {
    const title = `${file.replace('.mjs', '')}: ${name}`;
    if (wanted.length && !wanted.some((w) => title.includes(w))) continue;
    const began = Date.now();
    try {
      await browser.inPage(server, run);
      passed += 1;
      console.log(`ok    ${title} (${Date.now() - began} ms)`);
    } catch (err) {
      failed.push(title);
      console.log(`FAIL  ${title}\n${String(err.stack ?? err).replace(/^/gm, '      ')}`);
    }
  }
}

await browser.stop();
await stopServers();
for (const title of failed) console.log(`failed: ${title}`);
console.log(`${passed} passed, ${failed.length} failed`);
process.exit(failed.length || !passed ? 1 : 0);
