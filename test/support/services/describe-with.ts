import { findChromium } from './installed.js';

/** Like `describe`, but skipped when this machine has no Redis for tests. */
export const describeWithRedis = describeWith(isSet('TEST_REDIS_URL'), 'redis-server');

/** Like `describe`, but skipped when this machine has no Postgres for tests. */
export const describeWithPostgres = describeWith(isSet('TEST_POSTGRES_URL'), 'postgresql');

/** Like `describe`, but skipped when this machine has no Chromium. */
export const describeWithChromium = describeWith(findChromium() !== undefined, 'chromium');

/** Like `it`, for tests that advance the clock; skipped where a server's clock decides. */
export const itWithClock = (title: string, test: () => Promise<void>): void => {
  if ((globalThis.STORAGE ?? 'embedded') === 'embedded') it(title, test);
  else it.skip(`${title} (left out: the clock of ${globalThis.STORAGE} cannot be moved)`, test);
};

function isSet(variable: string) {
  return process.env[variable] !== undefined;
}

function describeWith(isThere: boolean, service: string) {
  return (title: string, body: () => void) => {
    if (isThere) describe(title, body);
    else describe.skip(`${title} (left out: ${service} is not installed)`, body);
  };
}
