// How fast the built service answers `me` of one account while another one's app sends the worst bodies to the MCP
// endpoint, as fast as it is let; next to the same while no other account sends anything, in the same run.
// npm run build && node bench/worst-body.mjs
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { accountRows, percentile, Service, tokenOf } from './service.mjs';
import { SqliteFile } from './sqlite-file.mjs';

const PORT = 3786;
const SECONDS = 4;
const SENDERS = 64;

const message = (method, params, id = 1) => ({ jsonrpc: '2.0', id, method, params });
const call = (args) => message('tools/call', { name: 'account_status', arguments: args });
const members = (count, nameOf = (n) => `m${n}`) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [nameOf(n), 0]));
const array = (count, element) => Array.from({ length: count }, () => element);
const batch = (count) =>
  Array.from({ length: count }, (_, id) => message('tools/list', undefined, id));
const tower = JSON.parse('['.repeat(90) + ']'.repeat(90));
const clientInfo = { name: 'x', version: '1', icons: array(90_000, 0) };
const initialization = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };

const bodies = {
  'a tools/list': message('tools/list'),
  'a call': call({}),
  'a batch of 32': batch(32),
  'a batch of 100': batch(100),
  '9,900 of _meta': message('tools/list', { _meta: members(9_900) }),
  '105,000 of _meta': message('tools/list', { _meta: members(105_000) }),
  '9,900 arguments': call(members(9_900, (n) => `unknown-argument-${n}`)),
  '9,900 numbered': call(members(9_900, (n) => 4_294_967_000 - n * 65_536)),
  '99,000 elements': call({ list: array(99_000, 0) }),
  '1,000 towers': call({ list: array(1_000, tower) }),
  '90,000 icons': message('initialize', initialization),
  'a long string': call({ text: 'x'.repeat(520_000) }),
  escapes: call({ text: '\u0001'.repeat(86_000) }),
  'no JSON': 'x'.repeat(520_000),
};

const client = (connections) =>
  new Pool(`http://127.0.0.1:${PORT}`, { connections, headersTimeout: 60_000 });

async function ask(pool, { method = 'GET', path, headers = {}, body }) {
  const host = `localhost:${PORT}`;
  const answer = await pool.request({ method, path, headers: { host, ...headers }, body });
  await answer.body.dump();
  return answer.statusCode;
}

async function timesOfMe() {
  const pool = client(1);
  const times = [];
  const endsAt = performance.now() + SECONDS * 1_000;
  while (performance.now() < endsAt) {
    const sentAt = performance.now();
    await ask(pool, { path: '/svc/auth/me', headers: { cookie: `session=${tokenOf('s', 1)}` } });
    times.push(performance.now() - sentAt);
    await pause(10);
  }
  await pool.destroy();
  return times;
}

/** Sends it over and over until it is told to stop; then tells the statuses that came back. */
async function keepSending(name) {
  const pool = client(SENDERS);
  const statuses = {};
  let answered = 0;
  const over = new AbortController();
  const post = {
    method: 'POST',
    path: '/svc/mcp',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${tokenOf('t', 0)}`,
    },
    body: typeof bodies[name] === 'string' ? bodies[name] : JSON.stringify(bodies[name]),
  };
  const send = async () => {
    while (!over.signal.aborted) {
      const status = await ask(pool, post).catch(({ code }) => code ?? 'failed');
      if (over.signal.aborted) return;
      statuses[status] = (statuses[status] ?? 0) + 1;
      if ((answered += 1) === SENDERS) process.send('begun');
    }
  };
  const senders = array(SENDERS).map(send);
  await once(process, 'message');
  over.abort();
  await pool.destroy();
  await Promise.all(senders);
  process.send(JSON.stringify(statuses));
  process.disconnect();
}

function row(name, times, statuses = '') {
  const [median, p99] = [0.5, 0.99].map((share) => percentile(times, share).toFixed(1));
  console.log(`${name.padEnd(18)} me: median ${median} ms, p99 ${p99} ms  ${statuses}`);
}

async function measure() {
  const file = new SqliteFile();
  const service = await new Service(PORT, { DATABASE_URL: file.url }).ready();
  await file.insert(accountRows(2, `http://localhost:${PORT}`));
  await timesOfMe();
  row('nothing', await timesOfMe());
  for (const name of Object.keys(bodies)) {
    const sender = fork(import.meta.filename, [name]);
    await once(sender, 'message');
    const times = await timesOfMe();
    sender.send('stop');
    const [statuses] = await once(sender, 'message');
    row(name, times, statuses);
  }
  row('nothing', await timesOfMe());
  await service.stop();
  file.remove();
}

// In a process of its own, so that sending does not keep the measuring waiting.
const [, , sent] = process.argv;
await (sent === undefined ? measure() : keepSending(sent));
