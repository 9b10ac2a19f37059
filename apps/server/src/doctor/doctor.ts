import { IssuerKeysService, KeysUnavailableError, type TrustedIssuer } from '#libs/oauth';
import type { Extension } from '../app.module-definition.js';
import { type Config, readConfig } from '../config/config.js';
import { resourcesOf } from '../resources.js';
import { describeStartFailure } from '../start-failure.js';
import { type Check, examine, fail, type Finding, hasFailed, ok, report } from './finding.js';
import { settingsFindings } from './settings.js';
import { outsideSmokeTest, resourceFindings } from './smoke-test.js';
import { databaseFindings, redisFindings } from './storage.js';

type Look = (config: Config, extensions: readonly Extension[]) => Check['findings'];

const CHECKS: Readonly<Record<string, Look>> = {
  Settings: settingsFindings,
  Database: databaseFindings,
  Redis: redisFindings,
  Resources: resourceFindings,
  'Trusted issuers': issuerFindings,
};

export function configurationChecks(
  variables?: NodeJS.ProcessEnv,
  extensions: readonly Extension[] = [],
): Check[] {
  const config = readConfig(variables);
  resourcesOf(config, extensions);
  return Object.entries(CHECKS).map(([title, look]) => ({
    title,
    findings: look(config, extensions),
  }));
}

async function* issuerFindings({ trustedIssuers = [], clientDocuments }: Config) {
  if (trustedIssuers.length === 0) return;
  const keys = new IssuerKeysService({ trustedIssuers, clientDocuments });
  yield* await Promise.all(trustedIssuers.map((trusted) => keysFinding(keys, trusted)));
}

async function keysFinding(keys: IssuerKeysService, trusted: TrustedIssuer): Promise<Finding> {
  try {
    return ok(`the keys of ${trusted.name} at ${trusted.issuer}: ${await keys.count(trusted)}`);
  } catch (error) {
    if (!(error instanceof KeysUnavailableError)) throw error;
    return fail(
      error.message,
      'look at its issuer and jwksUri in TRUSTED_ISSUERS_FILE, the DNS and the firewall; on your own network it needs privateNetwork, and an authority of your own NODE_EXTRA_CA_CERTS',
    );
  }
}

/**
 * Runs the doctor in this process, on the configuration with `extensions`, or on the service at an origin. The exit
 * code is 1 when any check failed.
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
