// Whether requests cost more in a large database: node bench/growth.mjs [--accounts 1000,100000,1000000] [--seconds 3].
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { findFreePort } from '../libs/platform/src/testbed/program.testbed.ts';
import { divideCores } from './driver/cores.mjs';
import { median } from './driver/figures.mjs';
import {
  addExpiredSessions,
  grow,
  hasExpiredSessions,
  ROWS_OF_THE_TRAIL,
} from './driver/grown.mjs';
import { HttpClient } from './driver/http-client.mjs';
import { requireBuild, serve, servicesStorage, sqliteStorage } from './driver/ours.mjs';
import { RequestLoad } from './driver/request-load.mjs';
import { sample } from './driver/rounds.mjs';
import { Stores } from './driver/stores.mjs';

const { values } = parseArgs({
  options: {
    accounts: { type: 'string', default: '1000,100000,1000000' },
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '5' },
  },
});
const sizes = values.accounts.split(',').map(Number);
const [seconds, rounds] = [Number(values.seconds), Number(values.rounds)];
const MOST = 1.2;
const TOKEN = 'an-administration-token-of-the-bench';

/** Rows of `npm run bench`, as they are prepared for the service. */
const ROWS = ['me', 'refresh', 'exchange', 'authorize', 'consent', 'tools-call', 'login-verify'];
/** Lists of administration: their paths. */
const LISTS = ['users', 'clients', 'audit', 'audit?type=sign-in'];
const say = (text) => process.stdout.write(`${text}\n`);

/** The service on a database with this number of accounts. */
async function grown(storage, accounts) {
  await (await serve(storage)).stop();
  const startedAt = performance.now();
  await grow(storage.urls, accounts);
  say(`${accounts} accounts: written in ${Math.round((performance.now() - startedAt) / 1_000)} s`);
  const port = await findFreePort();
  const variables = { MANAGEMENT_PORT: String(port), ADMIN_TOKEN: TOKEN };
  const server = await serve(storage, { variables, obeys: true });
  return Object.assign(server, { management: new HttpClient(port), urls: storage.urls });
}

const listing = (path) => (server) => () =>
  server.management.ask({
    path: `/admin/${path}`,
    headers: { authorization: `Bearer ${TOKEN}` },
  });

async function prepared() {
  const named = ROWS.map(async (name) => {
    const { row } = await import(`./rows/${name}.mjs`);
    return [name, row.sides[0].prepare];
  });
  const lists = LISTS.map((path) => [`/admin/${path}`, listing(path)]);
  return [...(await Promise.all(named)), ...lists, ['an expired session', sweeps]];
}

/** µs of the server and its stores a request. */
async function cost(server, load) {
  const { server: ours, stores: theirs = 0 } = await sample({ server, load }, seconds);
  return ours + theirs;
}

const EXPIRED = 500;
const SWEEP_EVERY_MS = 600_000;

/** A load whose operations are expired sessions, each of which a sweep removes. */
const sweeps = (server) => ({
  stockUp: () => addExpiredSessions(server.urls, EXPIRED),
  async run() {
    // A sweep that still rests begins no other one.
    while (await hasExpiredSessions(server.urls)) {
      await server.order('run', SWEEP_EVERY_MS);
      await pause(50);
    }
    return EXPIRED;
  },
});

/** One row at all sizes, in turn. */
async function compared(name, prepare, servers) {
  const loads = [];
  for (const server of servers) {
    const load = await prepare(server, { stock: 8, accounts: 32 });
    loads.push(typeof load === 'function' ? new RequestLoad(load, 8) : load);
  }
  const samples = servers.map(() => []);
  for (const [n, server] of servers.entries()) await cost(server, loads[n]);
  for (let round = 0; round < rounds; round += 1) {
    for (const [n, server] of servers.entries()) {
      samples[n].push(await cost(server, loads[n]));
    }
  }
  const middles = samples.map((ofSize) => median(ofSize));
  const ratio = middles.at(-1) / middles[0];
  const cells = middles.map((middle) => `${Math.round(middle)} µs`);
  say(`| ${[name, ...cells, `${ratio.toFixed(2)}${ratio > MOST ? ' (!)' : ''}`].join(' | ')} |`);
}

requireBuild();
divideCores();
const stores = new Stores();
const storages = { SQLite: sqliteStorage, 'Postgres + Redis': servicesStorage };
for (const [name, storage] of Object.entries(storages)) {
  say(`\n${name}; ${ROWS_OF_THE_TRAIL} rows of the trail for each account\n`);
  const servers = [];
  for (const accounts of sizes) servers.push(await grown(await storage(stores), accounts));
  say(`\n| row | ${sizes.map((size) => size.toLocaleString('en-GB')).join(' | ')} | ratio |`);
  say(`| --- ${'| --- '.repeat(sizes.length)}| --- |`);
  for (const [row, prepare] of await prepared()) await compared(row, prepare, servers);
  await Promise.all(servers.map((server) => server.stop()));
}
await stores.stop();
process.exit();
