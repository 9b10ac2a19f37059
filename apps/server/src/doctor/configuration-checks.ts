import { type Extension, migrationsOf } from '../app.module-definition.js';
import { readConfig } from '../config/config.js';
import { migrations } from '../database.module.js';
import { readEnvironment } from '../config/read-environment.js';
import type { Check } from './check.js';
import { listenerFindings } from './checks/listeners.js';
import type { MigrationPlan } from './checks/migrations.js';
import { originFindings } from './checks/origins.js';
import { policyFindings } from './checks/policies.js';
import { postgresFindings } from './checks/postgres.js';
import { processFindings } from './checks/process.js';
import { proxyFindings } from './checks/proxies.js';
import { redisFindings } from './checks/redis-server.redis.js';
import { replicaFindings } from './checks/replicas.js';
import { selfSmokeTestFindings } from './checks/self-smoke-test.js';
import { sqliteFindings } from './checks/sqlite.js';

const SMOKE_TEST_LIMIT_MS = 10_000;

/** All there is to check for a process with these variables; throws ConfigError as its start would. */
export function configurationChecks(
  variables?: NodeJS.ProcessEnv,
  extensions: readonly Extension[] = [],
): Check[] {
  const config = readConfig(variables);
  const { NODE_ENV: mode } = readEnvironment(variables).environment;
  const { database, redisUrl, redisPrefix } = config;
  const plan: MigrationPlan = {
    known: [...migrations, ...migrationsOf(extensions)].map(
      (Migration) => `${new Migration().name}`,
    ),
    runAtStart: config.migratesAtStart,
  };
  return [
    { title: 'Process', findings: () => processFindings(process.version, mode, config) },
    { title: 'Origins', findings: () => originFindings(config) },
    { title: 'Proxies', findings: () => proxyFindings(config) },
    { title: 'Listeners', findings: () => listenerFindings(config) },
    { title: 'Policies', findings: () => policyFindings(config) },
    { title: 'Replicas', findings: () => replicaFindings(config) },
    database.type === 'sqlite'
      ? { title: 'Database (SQLite)', findings: () => sqliteFindings(database.path, plan) }
      : { title: 'Database (PostgreSQL)', findings: () => postgresFindings(database.url, plan) },
    ...(redisUrl === undefined
      ? []
      : [
          {
            title: 'Redis',
            findings: () => redisFindings({ url: redisUrl, keyPrefix: redisPrefix }),
          },
        ]),
    {
      title: 'Walk through a throw-away instance with these settings',
      limitMs: SMOKE_TEST_LIMIT_MS,
      findings: () => selfSmokeTestFindings(config, extensions),
    },
  ];
}
