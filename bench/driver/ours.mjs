// The built service, as it is configured in production but for limits that a load would run into.
import { fileURLToPath } from 'node:url';
import { isStale } from '../../bin/build-when-stale.mjs';
import { Replicas } from './replicas.mjs';
import { ServerProcess } from './server-process.mjs';

const SERVICES = 'Postgres + Redis';
const MAIN = fileURLToPath(new URL('../../dist/apps/server/src/main.js', import.meta.url));

const NO_LIMITS = {
  NODE_ENV: 'production',
  RATE_LIMIT_MAX: '1000000000',
  BUDGET_DAILY_LIMIT: '1000000000',
};

/** The two sides of nearly every row. `sqlite` and `postgres` have what else is said of each: `against`, `goals`. */
export const ours = (prepare, { sqlite, postgres } = {}) => [
  { name: 'SQLite', start: onSqlite, prepare, ...sqlite },
  { name: SERVICES, start: onPostgresAndRedis, prepare, needsServices: true, ...postgres },
];

/** Throws when the build is older than a source: figures of another service say nothing. */
export function requireBuild() {
  if (isStale(MAIN)) throw new Error('the build is missing or older than a source: npm run build');
}

/** On a SQLite file. `options` are those of `ServerProcess.start`. */
export async function onSqlite(stores, { variables, ...options } = {}) {
  const databaseFile = stores.file();
  const url = { DATABASE_URL: `sqlite:${databaseFile}` };
  const server = await start({ ...url, ...variables }, options);
  return Object.assign(server, { storePids: [], databaseFile });
}

/** On Postgres and Redis. */
export async function onPostgresAndRedis(stores, { variables, ...options } = {}) {
  const { urls, storePids } = await services(stores);
  const server = await start({ ...urls, ...variables }, options);
  return Object.assign(server, { storePids });
}

/** Two replicas on one Postgres and one Redis, both under the first one's origin. */
export async function asTwoReplicas(stores) {
  const { urls, storePids } = await services(stores);
  const one = await start(urls);
  const two = await start(urls, { replica: 1, origin: one.origin });
  return new Replicas([one, two], storePids);
}

async function services(stores) {
  const { postgresUrl, redisUrl, pids } = await stores.databases();
  return { urls: { DATABASE_URL: postgresUrl, REDIS_URL: redisUrl }, storePids: pids };
}

const start = (variables, options) =>
  ServerProcess.start(MAIN, {
    ...options,
    variables: { ...NO_LIMITS, ...variables },
    isUp: '/svc/auth/me',
  });
