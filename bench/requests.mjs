// How long the built service takes to its first answer, and how many requests a second it serves,
// next to a bare Express in the same run: compare the ratios, never one machine's numbers.
// npm run build && npm run bench
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import sqlite3 from 'sqlite3';
import { GRANTS } from './grant-columns.mjs';
import { SESSIONS } from './session-columns.mjs';

const PORT = 3777;
const ROUNDS = 3;
const AT_ONCE = 16;
const ORIGIN = `http://localhost:${PORT}`;
const SESSION = 'A'.repeat(43);
const ACCESS_TOKEN = 'B'.repeat(43);

const folder = mkdtempSync(join(tmpdir(), 'bench-'));
const file = join(folder, 'bench.sqlite');
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });

function ask({ port = PORT, method = 'GET', path, headers = {}, body }) {
  const host = `localhost:${port}`;
  return new Promise((resolve, reject) => {
    const options = { agent, host: '127.0.0.1', port, method, path, headers: { host, ...headers } };
    const asking = request(options, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode));
    });
    asking.on('error', reject).end(body);
  });
}

async function boot() {
  const startedAt = performance.now();
  const env = { ...process.env, PORT, DATABASE_URL: `sqlite:${file}`, RATE_LIMIT_MAX: '100000000' };
  const server = spawn(process.execPath, ['bin/start.mjs'], { env, stdio: 'ignore' });
  const isUp = () => ask({ path: '/svc/auth/me' }).catch(() => 0);
  while ((await isUp()) !== 200) await new Promise((resolve) => setTimeout(resolve, 5));
  return { server, tookMs: Math.round(performance.now() - startedAt) };
}

async function stop(server) {
  server.kill('SIGTERM');
  await once(server, 'exit');
}

/** A user with a session and an access token, put where the service keeps them. */
async function addAnn() {
  const hash = (secret) => createHash('sha256').update(secret).digest('base64url');
  const now = Date.now();
  const later = now + 3_600_000;
  const payload = JSON.stringify({ aud: `${ORIGIN}/svc/mcp`, scope: 'account:read' });
  const rows = {
    users: ['ann', 'Ann', now],
    [SESSIONS]: [hash(SESSION), 'ann', ORIGIN, now, now, later],
    [GRANTS]: ['g', 'ann', 'c', ORIGIN, 'account:read', 'App', now, now, later],
    oauth_tokens: [hash(ACCESS_TOKEN), 'AccessToken', 'g', 0, payload, now, later, null],
  };
  const database = new sqlite3.Database(file);
  for (const [table, row] of Object.entries(rows)) {
    database.run(`INSERT INTO ${table} VALUES (${row.map(() => '?')})`, row);
  }
  await new Promise((resolve) => {
    database.close(resolve);
  });
}

async function requestsPerSecond(call, count) {
  let sent = 0;
  const startedAt = performance.now();
  const worker = async () => {
    while ((sent += 1) <= count) await ask(call);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return count / ((performance.now() - startedAt) / 1000);
}

const bare = express()
  .get('/', (_request, response) => response.json({}))
  .listen(PORT + 1);
const mcp = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  authorization: `Bearer ${ACCESS_TOKEN}`,
};
const calls = {
  'bare Express': { port: PORT + 1, path: '/' },
  'me, signed out': { path: '/svc/auth/me' },
  'me, signed in': { path: '/svc/auth/me', headers: { cookie: `session=${SESSION}` } },
  'login/options': { method: 'POST', path: '/svc/auth/login/options', body: '{}' },
  'tools/list': {
    method: 'POST',
    path: '/svc/mcp',
    headers: mcp,
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}',
  },
};

for (let start = 0; start < ROUNDS; start += 1) {
  const { server, tookMs } = await boot();
  console.log(`first answer after ${tookMs} ms`);
  await stop(server);
}
const { server } = await boot();
await addAnn();
for (let round = 1; round <= ROUNDS; round += 1) {
  let floor;
  for (const [name, call] of Object.entries(calls)) {
    const status = await ask(call);
    const rate = await requestsPerSecond(call, 4000);
    floor ??= rate;
    const ratio = (rate / floor).toFixed(2);
    console.log(`round ${round}  ${name.padEnd(15)} ${status}  ${Math.round(rate)}/s  x ${ratio}`);
  }
}
await stop(server);
bare.close();
agent.destroy();
rmSync(folder, { recursive: true });
