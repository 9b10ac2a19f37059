// The built service, as it is configured in production but for limits that a load would run into.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isStale } from '../../bin/build-when-stale.mjs';
import { Replicas } from './replicas.mjs';
import { ServerProcess } from './server-process.mjs';

const SERVICES = 'Postgres + Redis';
export const MAIN = fileURLToPath(new URL('../../dist/apps/server/src/main.js', import.meta.url));

const NO_LIMITS = {
  NODE_ENV: 'production',
  RATE_LIMIT_MAX: '1000000000',
  BUDGET_DAILY_LIMIT: '1000000000',
};

/** The two sides of nearly every row: what they have in common, and what else is said of each. */
export const ours = (common, { sqlite, postgres } = {}) => [
  { name: 'SQLite', start: onSqlite, ...common, ...sqlite },
  { name: SERVICES, start: onPostgresAndRedis, needsServices: true, ...common, ...postgres },
];

/** Throws when the build is older than a source: figures of another service say nothing. */
export function requireBuild() {
  if (isStale(MAIN)) throw new Error('the build is missing or older than a source: npm run build');
}

/** On a new SQLite file, which is `databaseFile`. `options` are those of `ServerProcess.start`. */
export const onSqlite = (stores, options) => serve(sqliteStorage(stores), options);

/** On an empty Postgres and an empty Redis. */
export const onPostgresAndRedis = async (stores, options) =>
  serve(await servicesStorage(stores), options);

const running = new Map();

/**
 * For a run that shares servers: one of each kind, started when it is first asked for, ending with the program. What a
 * row starts with other options is not shared.
 */
export function startOrShare(start, stores) {
  if (start !== onSqlite && start !== onPostgresAndRedis) return start(stores);
  if (!running.has(start)) running.set(start, start(stores).then(neverStopped));
  return running.get(start);
}

const neverStopped = (server) => Object.assign(server, { stop: async () => undefined });

/** Two replicas on one Postgres and one Redis, both under the first one's origin. */
export async function asTwoReplicas(stores) {
  const storage = await servicesStorage(stores);
  const one = await serve(storage);
  const two = await serve(storage, { replica: 1, origin: one.origin });
  return new Replicas([one, two], storage.storePids);
}

/** Storage to `serve` on, more than once if need be. */
export function sqliteStorage(stores) {
  const databaseFile = stores.file();
  return { urls: { DATABASE_URL: `sqlite:${databaseFile}` }, databaseFile, storePids: [] };
}

export async function servicesStorage(stores) {
  const { postgresUrl, redisUrl, pids } = await stores.databases();
  return { urls: { DATABASE_URL: postgresUrl, REDIS_URL: redisUrl }, storePids: pids };
}

export async function serve({ urls, ...storage }, { variables, ...options } = {}) {
  const environment = { ...NO_LIMITS, ...urls, ...variables };
  const server = await ServerProcess.start(MAIN, {
    args: ['start'],
    ...options,
    variables: environment,
    isUp: '/svc/auth/me',
  });
  return Object.assign(server, storage, { admin: (...args) => admin(args, environment) });
}

/** What a command of `gatehouse admin` prints as JSON. */
async function admin(args, environment) {
  const command = [MAIN, 'admin', ...args, '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, command, { env: environment });
  return JSON.parse(stdout);
}
