/** Like `describe`, but skipped when this machine has no Redis for tests. */
export const describeWithRedis = describeWith(isSet('TEST_REDIS_URL'), 'redis-server');

/** Like `describe`, but skipped when this machine has no Postgres for tests. */
export const describeWithPostgres = describeWith(isSet('TEST_POSTGRES_URL'), 'postgresql');

function isSet(variable: string) {
  return process.env[variable] !== undefined;
}

/** Like `describe`, but skipped when a `service` is not there. */
export function describeWith(isThere: boolean, service: string) {
  return (title: string, body: () => void) => {
    if (isThere) describe(title, body);
    else describe.skip(`${title} (left out: ${service} is not installed)`, body);
  };
}
