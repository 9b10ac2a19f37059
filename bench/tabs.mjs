// Memory per idle tab, and frames a second through the tab hub of the built service, next to a bare
// `ws` echo in the same run: compare the ratios, never one machine's numbers.
// npm run build && node bench/tabs.mjs
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sqlite3 from 'sqlite3';
import { WebSocket } from 'ws';
import { SESSIONS } from './session-columns.mjs';

const PORT = 3779;
const ACCOUNTS = 100;
const TABS = 10;
const BURST = 90;
const REFILL_MS = 2_500;
const ROUNDS = 3;
const ORIGIN = `http://localhost:${PORT}`;
const ECHO = `
  import { WebSocketServer } from 'ws';
  const server = new WebSocketServer({ port: ${PORT + 1}, host: '127.0.0.1', maxPayload: 65536 });
  server.on('connection', (socket) => {
    socket.on('message', (data) => socket.send(String(data)));
    socket.send('{"event":"welcome","data":{}}');
  });`;

const folder = mkdtempSync(join(tmpdir(), 'bench-'));
const file = join(folder, 'bench.sqlite');
const tokenOf = (account) => String(account).padStart(43, 'A');
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function start(args, env) {
  const options = { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'inherit'] };
  return spawn(process.execPath, args, options);
}

async function isUp(port) {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined);
    if (answer) return;
    await pause(20);
  }
}

/** Accounts with a session each, put where the service keeps them. */
async function addAccounts() {
  const database = new sqlite3.Database(file);
  const now = Date.now();
  database.serialize(() => {
    database.run('BEGIN');
    for (let n = 0; n < ACCOUNTS; n += 1) {
      const hash = createHash('sha256').update(tokenOf(n)).digest('base64url');
      database.run('INSERT INTO users VALUES (?, ?, ?)', [`u${n}`, 'Ann', now]);
      const session = [hash, `u${n}`, ORIGIN, now, now, now + 3_600_000];
      database.run(`INSERT INTO ${SESSIONS} VALUES (?, ?, ?, ?, ?, ?)`, session);
    }
    database.run('COMMIT');
  });
  await new Promise((resolve) => database.close(resolve));
}

const residentKb = ({ pid }) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]);

async function open(url, account) {
  const headers = { host: `localhost:${PORT}`, cookie: `session=${tokenOf(account)}` };
  const socket = new WebSocket(url, { headers, perMessageDeflate: false });
  await once(socket, 'message');
  return socket;
}

async function openAll(url) {
  const sockets = [];
  for (let account = 0; account < ACCOUNTS; account += 1) {
    const dialled = Array.from({ length: TABS }, () => open(url, account));
    sockets.push(...(await Promise.all(dialled)));
  }
  return sockets;
}

/** Every socket says a frame `BURST` times and gets as many answers of that event. */
async function framesPerSecond(sockets, frame, event) {
  const startedAt = performance.now();
  await Promise.all(
    sockets.map(
      (socket) =>
        new Promise((resolve) => {
          let answers = 0;
          const count = (data) => {
            if (!String(data).startsWith(`{"event":"${event}"`)) return;
            answers += 1;
            if (answers < BURST) return;
            socket.off('message', count);
            resolve();
          };
          socket.on('message', count);
          for (let n = 0; n < BURST; n += 1) socket.send(frame);
        }),
    ),
  );
  return (sockets.length * BURST) / ((performance.now() - startedAt) / 1000);
}

const service = start(['bin/start.mjs'], {
  PORT,
  DATABASE_URL: `sqlite:${file}`,
  LOG_LEVEL: 'error',
});
const echo = start(['--input-type=module', '--eval', ECHO]);
await Promise.all([isUp(PORT), isUp(PORT + 1)]);
await addAccounts();

const sockets = {};
for (const [name, url, process_] of [
  ['bare ws', `ws://127.0.0.1:${PORT + 1}/`, echo],
  ['tab hub', `ws://127.0.0.1:${PORT}/svc/me/tabs`, service],
]) {
  const before = residentKb(process_);
  sockets[name] = await openAll(url);
  await pause(2_000);
  const perSocket = ((residentKb(process_) - before) / sockets[name].length).toFixed(1);
  console.log(`${name}: ${perSocket} KiB of resident memory per idle connection`);
}

const ping = '{"event":"ping","data":1}';
const send = '{"event":"send","data":{"to":"nobody","body":1}}';
const all = '{"event":"send","data":{"to":"*","body":1,"id":"a"}}';
for (let round = 1; round <= ROUNDS; round += 1) {
  let floor;
  for (const [what, name, frame, event] of [
    ['bare echo', 'bare ws', ping, 'ping'],
    ['ping, pong', 'tab hub', ping, 'pong'],
    ['send, unknown', 'tab hub', send, 'error'],
    [`send to ${TABS - 1}, ack`, 'tab hub', all, 'ack'],
  ]) {
    const rate = await framesPerSecond(sockets[name], frame, event);
    floor ??= rate;
    const ratio = (rate / floor).toFixed(2);
    console.log(`round ${round}  ${what.padEnd(15)} ${Math.round(rate)}/s  x ${ratio}`);
    await pause(REFILL_MS);
  }
}

for (const socket of Object.values(sockets).flat()) socket.terminate();
service.kill('SIGTERM');
echo.kill();
await once(service, 'exit');
rmSync(folder, { recursive: true });
