// Starts the real server on a free loopback port.

import { spawn } from 'node:child_process';

const running = new Set();

/** Starts `mxrest serve` with more arguments; resolves to { url, log() } once it serves. */
export function startServer(...args) {
  const child = spawn(process.env.MXREST_BIN, ['serve', '--listen=127.0.0.1:0', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  let log = '';
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`the server did not start in 20 s:\n${log}`)), 20_000);
    const read = (chunk) => {
      log += chunk;
      const url = /https?:\/\/127\.0\.0\.1:\d+/.exec(log)?.[0];
      if (url) {
        clearTimeout(timer);
        resolve({ url, log: () => log });
      }
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`the server ended with ${code}:\n${log}`));
    });
  });
}

/** Stops every server that was started here. */
export async function stopServers() {
  await Promise.all(
    Array.from(running, (child) => new Promise((done) => {
      if (child.exitCode !== null) return done();
      child.on('exit', done);
      child.kill('SIGTERM');
      setTimeout(() => child.kill('SIGKILL'), 5000).unref();
      return undefined;
    })),
  );
}
