import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Extension } from '../../app.module-definition.js';
import type { Config } from '../../config/config.js';
import { createApp } from '../../create-app.js';
import { fail, type Finding } from '../finding.js';
import { errorDetails } from '../network-errors.js';
import { discoverySteps } from '../smoke-test/discovery-steps.js';
import { type Ask, askAt } from '../smoke-test/exchange.js';
import { registration, signInPage } from '../smoke-test/sign-in-steps.js';
import { runStep } from '../smoke-test/step.js';

const ENOUGH_REQUESTS = 1_000;

/**
 * Starts the service with these settings on temporary storage, and on every public origin connects a client as far as
 * its sign-in page. This tests the service's settings; only a smoke test from outside tests those of a real proxy.
 */
export async function* selfSmokeTestFindings(
  config: Config,
  extensions: readonly Extension[],
): AsyncIterable<Finding> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-doctor-'));
  try {
    const app = await createApp(
      throwAway(config, join(folder, 'smoke-test.sqlite')),
      extensions.map(untold),
    );
    try {
      const server = await app.listen(0, '127.0.0.1');
      const { port } = server.address() as AddressInfo;
      const origins = config.publicOrigins ?? [`http://localhost:${port}`];
      for (const origin of origins) yield* connectClient(origin, askThrough(config, origin, port));
    } finally {
      await app.close();
    }
  } catch (error) {
    yield fail(
      `the service does not start with these settings: ${errorDetails(error).message}`,
      'start it and look at its log',
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * The smoke test connects from loopback; where any proxy is trusted, loopback is trusted too. Registration is on even
 * where REGISTRATION is off: there is no other way to reach the sign-in page.
 */
const throwAway = (config: Config, path: string): Config => ({
  ...config,
  listen: { port: 0, host: '127.0.0.1' },
  database: { type: 'sqlite', path },
  migratesAtStart: true,
  redisUrl: undefined,
  eventsWebhook: undefined,
  trustedProxies: config.trustedProxies.length === 0 ? [] : [...config.trustedProxies, 'loopback'],
  rateLimit: { ...config.rateLimit, max: Math.max(config.rateLimit.max, ENOUGH_REQUESTS) },
  registration: true,
  management: undefined,
  logLevel: 'fatal',
});

/** Removes the event receivers: the test's client is not a real one. */
const untold = ({ replacements, ...extension }: Extension): Extension => ({
  ...extension,
  replacements: { ...replacements, events: [] },
});

/**
 * Sends the headers that a proxy would send for this origin. Without a trusted proxy it sends no forwarding headers,
 * because the service would ignore them.
 */
function askThrough({ trustedProxies }: Config, origin: string, port: number): Ask {
  const { host, protocol } = new URL(origin);
  const forwarded = { 'X-Forwarded-Host': host, 'X-Forwarded-Proto': protocol.slice(0, -1) };
  const headers = trustedProxies.length === 0 ? { Host: host } : { Host: host, ...forwarded };
  return askAt(`http://127.0.0.1:${port}`, headers);
}

/** Ends at the first failure, because later steps would fail for the same reason. */
async function* connectClient(origin: string, ask: Ask): AsyncIterable<Finding> {
  let clientId = '';
  const steps = [
    ...discoverySteps(origin),
    registration((id) => (clientId = id)),
    () => signInPage(origin, clientId),
  ];
  for (const step of steps) {
    const finding = await runStep(typeof step === 'function' ? step() : step, origin, ask);
    yield finding;
    if (finding.severity === 'FAIL') return;
  }
}
