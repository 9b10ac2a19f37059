import { Redis } from 'ioredis';

/** A logical database of the shared test Redis that no other test uses. */
export interface TestRedis {
  readonly url: string;
  /** Returns the database for a later caller, which gets it empty. */
  dispose(): Promise<void>;
}

const RETURNED = 'returned-databases';

/** Takes an empty logical database; all of them share the channels of PUBLISH. */
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
