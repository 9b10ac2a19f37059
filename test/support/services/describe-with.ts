/** Like `describe`, but left out when this machine has no Redis for tests. */
export const describeWithRedis = describeWith('TEST_REDIS_URL', 'redis-server');

/** Like `describe`, but left out when this machine has no Postgres for tests. */
export const describeWithPostgres = describeWith('TEST_POSTGRES_URL', 'postgresql');

function describeWith(variable: string, service: string) {
  const isThere = process.env[variable] !== undefined;
  return (title: string, body: () => void) => {
    if (isThere) describe(title, body);
    else describe.skip(`${title} (left out: ${service} is not installed)`, body);
  };
}
