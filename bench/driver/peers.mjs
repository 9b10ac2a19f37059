// The other sides, which are packages of bench/package.json: `npm ci --prefix bench` installs them.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Replicas } from './replicas.mjs';
import { ServerProcess } from './server-process.mjs';

const path = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));

/** Why there is no other side here; undefined where there is. */
export const missingPeers = () =>
  existsSync(path('node_modules'))
    ? undefined
    : 'the packages of the other sides are not installed: npm ci --prefix bench';

export const other = (side) => ({ ...side, isOther: true });

/** Starts a file of bench/peers that keeps everything in its process. */
export const inMemory = (file) => (_stores, options) => start(file, options);

/** Starts a file of bench/peers with SQLITE_FILE in its environment. */
export const inSqlite = (file) => (stores) =>
  start(file, { variables: { SQLITE_FILE: stores.file() } });

/** Starts a file of bench/peers with POSTGRES_URL and REDIS_URL in its environment. */
export const inServices = (file) => async (stores, options) => {
  const { variables, pids } = await services(stores);
  return start(file, { ...options, variables }, pids);
};

/** A file of bench/peers on SQLite and on Postgres with Redis, as two sides. */
export const durable = (name, file, side) => [
  other({ name: `${name}, SQLite`, start: inSqlite(file), ...side }),
  other({ name: `${name}, Postgres`, needsServices: true, start: inServices(file), ...side }),
];

/**
 * What ours are compared with, for `ours`: by the name of a side of `durable`, how many times as good they should be,
 * by figure, on SQLite and on Postgres.
 */
export const comparedWith = (peers) => ({
  sqlite: { ratios: onStore(peers, 'SQLite', 0) },
  postgres: { ratios: onStore(peers, 'Postgres', 1) },
});

const onStore = (peers, store, n) =>
  Object.fromEntries(
    Object.entries(peers).map(([name, goals]) => [`${name}, ${store}`, goals[n] ?? {}]),
  );

/** The same, twice. */
export const asTwoInServices = (file) => async (stores) => {
  const { variables, pids } = await services(stores);
  const one = await start(file, { variables });
  return new Replicas([one, await start(file, { variables, replica: 1 })], pids);
};

async function services(stores) {
  const { postgresUrl, redisUrl, pids } = await stores.databases();
  return { variables: { POSTGRES_URL: postgresUrl, REDIS_URL: redisUrl }, pids };
}

async function start(file, options = {}, storePids = []) {
  const server = await ServerProcess.start(path(`peers/${file}.mjs`), options);
  return Object.assign(server, { storePids });
}
