// How fast the built service answers `me` while every worker for code is kept busy, next to the same
// without, in the same run; and what a run of code costs on top of the code.
// npm run build && node bench/code.mjs
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import sqlite3 from 'sqlite3';
import { GRANTS } from './grant-columns.mjs';
import { SESSIONS } from './session-columns.mjs';

const PORT = 3781;
const ORIGIN = `http://localhost:${PORT}`;
const MEASURE_MS = 6_000;
const RUNS_AT_ONCE = 2;
const ACCOUNTS = Math.ceil(availableParallelism() / RUNS_AT_ONCE);
const LOOPS = {
  'loops of the language': 'for (;;);',
  'loops inside built-ins': 'new Array(2 ** 32 - 1).join("x")',
  allocations: 'for (;;) { const a = []; for (let i = 0; i < 1e4; i += 1) a.push([i]); }',
};

const folder = mkdtempSync(join(tmpdir(), 'bench-'));
const file = join(folder, 'bench.sqlite');
const agent = new Agent({ keepAlive: true });
const median = (times) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)];
const highest = (times) => times.reduce((a, b) => Math.max(a, b), 0);

function ask({ method = 'GET', path, headers = {}, body }) {
  return new Promise((resolve, reject) => {
    const host = `localhost:${PORT}`;
    const options = { agent, host: '127.0.0.1', port: PORT, method, path };
    const asking = request({ ...options, headers: { host, ...headers } }, (answer) => {
      const chunks = [];
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.on('end', () => resolve({ status: answer.statusCode, text: chunks.join('') }));
    });
    asking.on('error', reject).end(body);
  });
}

async function boot() {
  const env = {
    ...process.env,
    PORT,
    DATABASE_URL: `sqlite:${file}`,
    RATE_LIMIT_MAX: '100000000',
    BUDGET_DAILY_LIMIT: '100000000',
    LOG_LEVEL: 'error',
  };
  const server = spawn(process.execPath, ['dist/apps/server/src/main.js', 'start'], {
    env,
    stdio: 'ignore',
  });
  const isUp = () => ask({ path: '/svc/auth/me' }).catch(() => ({ status: 0 }));
  while ((await isUp()).status !== 200) await new Promise((resolve) => setTimeout(resolve, 20));
  return server;
}

/** A user with a session and an access token, put where the service keeps them. */
async function addAccount(name) {
  const session = randomBytes(32).toString('base64url');
  const token = randomBytes(32).toString('base64url');
  const hash = (secret) => createHash('sha256').update(secret).digest('base64url');
  const now = Date.now();
  const later = now + 3_600_000;
  const payload = JSON.stringify({ aud: `${ORIGIN}/svc/mcp`, scope: 'code:run' });
  const rows = {
    users: [name, name, now],
    [SESSIONS]: [hash(session), name, ORIGIN, now, now, later],
    [GRANTS]: [`g-${name}`, name, 'c', ORIGIN, 'code:run', 'App', now, now, later],
    oauth_tokens: [hash(token), 'AccessToken', `g-${name}`, 0, payload, now, later, null],
  };
  const database = new sqlite3.Database(file);
  for (const [table, row] of Object.entries(rows)) {
    database.run(`INSERT INTO ${table} VALUES (${row.map(() => '?')})`, row);
  }
  await new Promise((resolve) => {
    database.close(resolve);
  });
  return { session, token };
}

async function runCode({ token }, args) {
  const params = { name: 'run_code', arguments: args };
  const answer = await ask({
    method: 'POST',
    path: '/svc/mcp',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${token}`,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
  return JSON.parse(answer.text).result;
}

async function timesOfMe({ session }) {
  const times = [];
  const endsAt = performance.now() + MEASURE_MS;
  while (performance.now() < endsAt) {
    const startedAt = performance.now();
    const { status } = await ask({
      path: '/svc/auth/me',
      headers: { cookie: `session=${session}` },
    });
    if (status !== 200) throw new Error(`me: ${status}`);
    times.push(performance.now() - startedAt);
  }
  return times;
}

/** Keeps every worker busy until the returned function is called, which tells what became of the runs. */
function keepBusy(accounts, code) {
  const over = new AbortController();
  const outcomes = new Map();
  const loop = async (account) => {
    while (!over.signal.aborted) {
      const { isError, content } = await runCode(account, { code, timeoutMs: 2_000 });
      const outcome = isError
        ? content[0].text.replaceAll(/\d+ credits?/g, '…').slice(0, 60)
        : 'ok';
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
  };
  const loops = accounts.flatMap((account) => [loop(account), loop(account)]);
  return async () => {
    over.abort();
    await Promise.all(loops);
    return JSON.stringify(Object.fromEntries(outcomes));
  };
}

const memoryOf = ({ pid }) =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024);

const row = (name, times) =>
  console.log(
    `${name.padEnd(24)} me: median ${median(times).toFixed(1)} ms, longest ${highest(times).toFixed(0)} ms`,
  );

const server = await boot();
const reader = await addAccount('reader');
const accounts = await Promise.all(
  Array.from({ length: ACCOUNTS }, (_, index) => addAccount(`runner-${index}`)),
);
console.log(`memory before any code: ${memoryOf(server)} MiB`);
row('nothing else', await timesOfMe(reader));
const [first] = accounts;
const took = [];
for (let call = 0; call < 100; call += 1) {
  const startedAt = performance.now();
  await runCode(first, { code: 'return 1' });
  took.push(performance.now() - startedAt);
}
console.log(`return 1: median ${median(took).toFixed(1)} ms, the first ${took[0].toFixed(0)} ms`);
for (const [name, code] of Object.entries(LOOPS)) {
  const stop = keepBusy(accounts, code);
  row(name, await timesOfMe(reader));
  console.log(`  ${await stop()}; memory ${memoryOf(server)} MiB`);
}
row('nothing else', await timesOfMe(reader));
server.kill('SIGTERM');
await once(server, 'exit');
agent.destroy();
rmSync(folder, { recursive: true });
