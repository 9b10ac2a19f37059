import { Redis } from 'ioredis';

/** A logical database of the shared test Redis that nobody else uses. */
export interface TestRedis {
  readonly url: string;
  /** Hands the database on to a later caller; whoever gets it gets it empty. */
  dispose(): Promise<void>;
}

const RETURNED = 'returned-databases';

/** Takes an empty logical database; channels of PUBLISH are shared by all of them. */
export async function redisForTests(): Promise<TestRedis> {
  const number = await connected(databaseUrl(0), async (redis) => {
    return Number((await redis.lpop(RETURNED)) ?? (await redis.incr('taken-databases')));
  });
  const url = databaseUrl(number);
  await connected(url, (redis) => redis.flushdb());
  return {
    url,
    dispose: async () => {
      await connected(databaseUrl(0), (redis) => redis.rpush(RETURNED, number));
    },
  };
}

async function connected<T>(url: string, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url);
  try {
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}

function databaseUrl(number: number) {
  const shared = process.env['TEST_REDIS_URL'];
  if (shared === undefined) throw new Error('no Redis for tests: use describeWithRedis');
  const url = new URL(shared);
  url.pathname = `/${number}`;
  return url.href;
}
