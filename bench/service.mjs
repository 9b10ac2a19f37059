// What the load benches share: the built service with accounts in it, requests to it, and what its processes take.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { GRANTS } from './grant-columns.mjs';
import { SESSIONS } from './session-columns.mjs';

/** Clock ticks a second, as `/proc` counts them on every Linux that Node runs on. */
const TICKS = 100;

export const tokenOf = (kind, account) => `${kind}${account}`.padEnd(43, 'A');
const hash = (secret) => createHash('sha256').update(secret).digest('base64url');

/** One process of the service, on a port of its own, answering under `origin`. */
export class Service {
  constructor(port, variables, origin = `http://localhost:${port}`) {
    this.host = new URL(origin).host;
    this.pool = new Pool(`http://127.0.0.1:${port}`, { connections: 64, headersTimeout: 20_000 });
    const env = { ...process.env, PORT: port, RATE_LIMIT_MAX: '100000000', LOG_LEVEL: 'error' };
    this.process = spawn(process.execPath, ['dist/apps/server/src/main.js', 'start'], {
      env: { ...env, ...variables },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }

  async ready() {
    const isUp = () => this.ask({ path: '/svc/auth/me' }).catch(() => 0);
    while ((await isUp()) !== 200) await pause(20);
    return this;
  }

  async ask({ method = 'GET', path, headers = {}, body }) {
    const options = { method, path, headers: { host: this.host, ...headers }, body };
    const answer = await this.pool.request(options);
    await answer.body.dump();
    return answer.statusCode;
  }

  async stop() {
    await this.pool.destroy();
    this.process.kill('SIGTERM');
    await once(this.process, 'exit');
  }
}

const USERS = 'users (id, display_name, created_at)';

/** Rows for accounts with a session and an access token each, by table, ready to be inserted. */
export function accountRows(accounts, origin) {
  const now = Date.now();
  const later = now + 86_400_000;
  const payload = JSON.stringify({ aud: `${origin}/svc/mcp`, scope: 'account:read' });
  const of = (row) => Array.from({ length: accounts }, (_, n) => row(n));
  return {
    [USERS]: of((n) => [`u${n}`, 'Ann', now]),
    [SESSIONS]: of((n) => [hash(tokenOf('s', n)), `u${n}`, origin, now, now, later]),
    [GRANTS]: of((n) => [`g${n}`, `u${n}`, 'c', origin, 'account:read', 'App', now, now, later]),
    oauth_tokens: of((n) => {
      const token = [hash(tokenOf('t', n)), 'AccessToken', `g${n}`, 0, payload];
      return [...token, now, later, null];
    }),
  };
}

/** A mix of what people and apps ask most: six of ten `me`, three `tools/list`, one begins to sign in. */
export function anyCall(accounts) {
  const account = Math.floor(Math.random() * accounts);
  const dice = Math.random();
  if (dice < 0.6) {
    return { path: '/svc/auth/me', headers: { cookie: `session=${tokenOf('s', account)}` } };
  }
  if (dice >= 0.9) return { method: 'POST', path: '/svc/auth/login/options', body: '{}' };
  return {
    method: 'POST',
    path: '/svc/mcp',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${tokenOf('t', account)}`,
    },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}',
  };
}

/** Keeps a number of calls under way for a while; returns how many a second were answered with 200. */
export async function closedLoop(ask, { atOnce, seconds }) {
  const endsAt = performance.now() + seconds * 1_000;
  let good = 0;
  const worker = async () => {
    while (performance.now() < endsAt) if ((await ask()) === 200) good += 1;
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return good / seconds;
}

/**
 * Sends a number of calls a second, whether or not earlier ones are answered. Returns what each `second` brought: answers by status,
 * and how long the good ones took.
 */
export async function openLoop(ask, { rate, seconds, mostUnderWay = Infinity }) {
  const startedAt = performance.now();
  const brought = Array.from({ length: seconds }, () => ({ statuses: {}, times: [] }));
  const underWay = new Set();
  const at = () => (performance.now() - startedAt) / 1_000;
  const note = (status, took) => {
    const { statuses, times } = brought[Math.min(Math.floor(at()), seconds - 1)];
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (status === 200) times.push(took);
  };
  const one = async () => {
    const sentAt = performance.now();
    const status = await ask().catch(({ code }) => code ?? 'failed');
    note(status, performance.now() - sentAt);
  };
  for (let sent = 0; at() < seconds; await pause(5)) {
    for (; sent < at() * rate; sent += 1) {
      if (underWay.size >= mostUnderWay) note('not sent', 0);
      else {
        const call = one().finally(() => underWay.delete(call));
        underWay.add(call);
      }
    }
  }
  await Promise.all(underWay);
  return brought;
}

export const percentile = (times, share) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? Number.NaN;

/** Processor time that a process has used, in seconds. */
export function cpuSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

export const residentMb = (pid) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))[1]) / 1024;

export const openFiles = (pid) => readdirSync(`/proc/${pid}/fd`).length;
