import { Redis } from 'ioredis';
import { Client } from 'pg';
import { describeWithPostgres, describeWithRedis } from './describe-with.js';
import { postgresForTests } from './postgres-for-tests.js';
import { redisForTests } from './redis-for-tests.js';

describeWithRedis('redisForTests', () => {
  it('gives every caller an empty database of its own', async () => {
    const taken = await Promise.all(Array.from({ length: 8 }, redisForTests));
    expect(new Set(taken.map(({ url }) => url)).size).toBe(8);
    await Promise.all(taken.map(({ dispose }) => dispose()));
  });

  it('empties a database that was returned', async () => {
    const first = await redisForTests();
    const redis = new Redis(first.url);
    await redis.set('left', 'behind');
    redis.disconnect();
    await first.dispose();
    const later = await Promise.all(Array.from({ length: 8 }, redisForTests));
    const sizes = await Promise.all(later.map(({ url }) => sizeOf(url)));
    expect(sizes).toEqual(later.map(() => 0));
    await Promise.all(later.map(({ dispose }) => dispose()));
  });
});

describeWithPostgres('postgresForTests', () => {
  it('gives every caller a database of its own and drops it', async () => {
    const taken = await Promise.all(Array.from({ length: 4 }, postgresForTests));
    const names = await Promise.all(taken.map(({ url }) => nameOf(url)));
    expect(new Set(names).size).toBe(4);
    await Promise.all(taken.map(({ dispose }) => dispose()));
    await expect(nameOf(taken[0]?.url)).rejects.toThrow('does not exist');
  });
});

async function sizeOf(url: string) {
  const redis = new Redis(url);
  const size = await redis.dbsize();
  redis.disconnect();
  return size;
}

async function nameOf(connectionString: string | undefined) {
  const client = new Client({ connectionString });
  try {
    await client.connect();
    const { rows } = await client.query<{ name: string }>('SELECT current_database() AS name');
    return rows[0]?.name;
  } finally {
    await client.end();
  }
}
