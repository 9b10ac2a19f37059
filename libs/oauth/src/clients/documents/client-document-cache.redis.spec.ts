import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import { describeWithRedis } from '../../../../../test/support/services/describe-with.js';
import {
  redisForTests,
  type TestRedis,
} from '../../../../../test/support/services/redis-for-tests.js';
import { describeClientDocumentCache, knownDocument } from './client-document-cache.contract.js';
import { InProcessClientDocumentCache } from './client-document-cache.in-process.js';
import { RedisClientDocumentCache } from './client-document-cache.redis.js';

const ID = 'https://app.example/client';
const REFUSAL = { reason: 'status 404', transient: false };

describeWithRedis('ClientDocumentCache in Redis', () => {
  let database: TestRedis;
  let connections: Redis[];
  const open = (redis: Redis) =>
    new RedisClientDocumentCache(redis, new InProcessClientDocumentCache());

  beforeAll(async () => {
    database = await redisForTests();
    connections = [new Redis(database.url), new Redis(database.url)];
  });
  afterAll(async () => {
    for (const redis of connections) redis.disconnect();
    await database.dispose();
  });

  describeClientDocumentCache(() => connections.map(open));

  it('leaves nothing in Redis for ever', async () => {
    const [redis] = connections as [Redis];
    await open(redis).putDocument(ID, knownDocument(ID), 60_000);
    await open(redis).putRefusal(ID, REFUSAL, 30_000);
    const lifetimes = await Promise.all((await redis.keys(`*${ID}`)).map((key) => redis.pttl(key)));
    expect(lifetimes).toHaveLength(2);
    expect(Math.min(...lifetimes)).toBeGreaterThan(0);
    expect(Math.max(...lifetimes)).toBeLessThanOrEqual(60_000);
  });

  it('knows what this process put while Redis is out of service, and says so once', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const redis = new Redis(database.url, { retryStrategy: () => null, maxRetriesPerRequest: 0 });
    const cache = open(redis);
    const document = knownDocument(ID);
    await cache.putDocument(ID, document, 60_000);
    redis.disconnect();
    await cache.keep(ID);
    expect(await cache.find(ID)).toEqual({ document });
    await cache.putRefusal(ID, REFUSAL, 30_000);
    expect(await cache.find(ID)).toEqual({ document, refusal: REFUSAL });
    expect(warn).toHaveBeenCalledTimes(1);
    warn.mockRestore();
  });
});
