import type { Extension } from '../app.module-definition.js';
import { readConfig } from '../config/config.js';
import { allMigrations } from '../database.module.js';
import { resourcesOf } from '../resources.js';
import { describeStartFailure } from '../start-failure.js';
import { type MigrationPlan, postgresFindings, sqliteFindings } from './database.js';
import { type Check, examine, hasFailed, report } from './finding.js';
import { issuerFindings } from './issuers.js';
import { redisFindings } from './redis.js';
import {
  listenerFindings,
  originFindings,
  policyFindings,
  processFindings,
  proxyFindings,
  replicaFindings,
} from './settings.js';
import { outsideSmokeTest, resourceFindings, selfSmokeTest } from './smoke-test.js';

/** All checks for a process with these variables; throws ConfigError as the service's start would. */
export function configurationChecks(
  variables?: NodeJS.ProcessEnv,
  extensions: readonly Extension[] = [],
): Check[] {
  const config = readConfig(variables);
  const { database, redisUrl: url, redisPrefix: keyPrefix } = config;
  const resources = resourcesOf(config, extensions);
  const plan: MigrationPlan = {
    known: allMigrations(extensions).map((Migration) => `${new Migration().name}`),
    runAtStart: config.migratesAtStart,
  };
  return [
    { title: 'Process', findings: processFindings(config) },
    { title: 'Origins', findings: originFindings(config) },
    { title: 'Proxies', findings: proxyFindings(config) },
    { title: 'Listeners', findings: listenerFindings(config) },
    { title: 'Policies', findings: policyFindings(config) },
    { title: 'Replicas', findings: replicaFindings(config) },
    database.type === 'sqlite'
      ? { title: 'Database (SQLite)', findings: sqliteFindings(database.path, plan) }
      : { title: 'Database (PostgreSQL)', findings: postgresFindings(database.url, plan) },
    ...(url === undefined ? [] : [{ title: 'Redis', findings: redisFindings({ url, keyPrefix }) }]),
    ...(resources.length === 0
      ? []
      : [{ title: 'Resources', findings: resourceFindings(resources, config) }]),
    ...(config.trustedIssuers === undefined
      ? []
      : [{ title: 'Trusted issuers', findings: issuerFindings(config) }]),
    {
      title: 'A throw-away instance with these settings',
      findings: selfSmokeTest(config, extensions),
    },
  ];
}

/**
 * Runs the doctor in this process: on the configuration, or with an origin as its only argument on the service
 * deployed there. `extensions` take part in the checks of the configuration. The exit code is 1 when any check
 * failed.
 */
export async function runDoctor(
  [address]: readonly string[],
  extensions: readonly Extension[] = [],
): Promise<never> {
  try {
    const checks =
      address === undefined
        ? configurationChecks(process.env, extensions)
        : [outsideSmokeTest(address)];
    const sections = await Promise.all(checks.map((check) => examine(check)));
    process.stdout.write(report(sections));
    process.exit(hasFailed(sections) ? 1 : 0);
  } catch (error) {
    process.stderr.write(describeStartFailure(error));
    process.exit(1);
  }
}
