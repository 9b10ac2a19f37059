import { type Extension, migrationsOf } from '../app.module-definition.js';
import { readConfig } from '../config/config.js';
import { migrations } from '../database.module.js';
import type { Check } from './check.js';
import type { MigrationPlan } from './checks/migrations.js';
import { postgresFindings } from './checks/postgres.js';
import { redisFindings } from './checks/redis-server.redis.js';
import { selfSmokeTestFindings } from './checks/self-smoke-test.js';
import {
  listenerFindings,
  originFindings,
  policyFindings,
  processFindings,
  proxyFindings,
  replicaFindings,
} from './checks/settings.js';
import { sqliteFindings } from './checks/sqlite.js';

const SMOKE_TEST_LIMIT_MS = 10_000;

/** All checks for a process with these variables; throws ConfigError as the service's start would. */
export function configurationChecks(
  variables?: NodeJS.ProcessEnv,
  extensions: readonly Extension[] = [],
): Check[] {
  const config = readConfig(variables);
  const { database, redisUrl: url, redisPrefix: keyPrefix } = config;
  const all = [...migrations, ...migrationsOf(extensions)];
  const plan: MigrationPlan = {
    known: all.map((Migration) => `${new Migration().name}`),
    runAtStart: config.migratesAtStart,
  };
  return [
    { title: 'Process', findings: () => processFindings(config) },
    { title: 'Origins', findings: () => originFindings(config) },
    { title: 'Proxies', findings: () => proxyFindings(config) },
    { title: 'Listeners', findings: () => listenerFindings(config) },
    { title: 'Policies', findings: () => policyFindings(config) },
    { title: 'Replicas', findings: () => replicaFindings(config) },
    database.type === 'sqlite'
      ? { title: 'Database (SQLite)', findings: () => sqliteFindings(database.path, plan) }
      : { title: 'Database (PostgreSQL)', findings: () => postgresFindings(database.url, plan) },
    ...(url === undefined
      ? []
      : [{ title: 'Redis', findings: () => redisFindings({ url, keyPrefix }) }]),
    {
      title: 'Walk through a throw-away instance with these settings',
      limitMs: SMOKE_TEST_LIMIT_MS,
      findings: () => selfSmokeTestFindings(config, extensions),
    },
  ];
}
