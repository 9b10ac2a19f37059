import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { describeOnRedis } from '#libs/platform/testing';
import { InProcessClientDocumentCache } from './client-document-cache.js';
import { describeClientDocumentCache, knownDocument } from './client-document-cache.contract.js';
import { RedisClientDocumentCache } from './client-document-cache.redis.js';

const ID = 'https://app.example/client';
const REFUSAL = { reason: 'status 404', transient: false };

describeOnRedis('ClientDocumentCache in Redis', (connections) => {
  const open = (redis: Redis) =>
    new RedisClientDocumentCache(redis, new InProcessClientDocumentCache());

  describeClientDocumentCache(() => connections().map(open));

  it('leaves nothing in Redis for ever, nor for longer than its last entry', async () => {
    const [redis] = connections();
    await redis.flushdb();
    const cache = open(redis);
    await cache.putDocument(ID, knownDocument(ID), 60_000);
    await cache.putDocument(`${ID}2`, knownDocument(ID), 20_000);
    await cache.putRefusal(ID, REFUSAL, 30_000);
    await cache.putDocument(`${ID}3`, knownDocument(ID), 60_000);
    await cache.keep(`${ID}3`);
    const lifetimes = await Promise.all((await redis.keys('*')).map((key) => redis.pttl(key)));
    const minutes = lifetimes.map((ms) => ms / 60_000).toSorted((a, b) => a - b);
    expect(minutes.map((count) => Math.ceil(count * 2) / 2)).toEqual([0.5, 0.5, 1, 1, 10, 10]);
  });

  it('takes at most its bounds of the memory of Redis, the overhead of Redis included', async () => {
    const [redis] = connections();
    await redis.flushdb();
    const cache = open(redis);
    const put = (n: number) => {
      const id = `${ID}/${n}`;
      return cache.putDocument(id, knownDocument(id), 60_000);
    };
    await Promise.all(Array.from({ length: 12_000 }, (_, n) => put(n)));
    const sizes = await Promise.all(
      (await redis.keys('*')).map((key) => redis.memory('USAGE', key, 'SAMPLES', 0)),
    );
    const taken = sizes.reduce<number>((sum, size) => sum + Number(size), 0);
    expect(taken / 1024 / 1024).toBeLessThan(4.2);
    expect(taken / 1024 / 1024).toBeGreaterThan(2);
  });

  it('knows what this process put while Redis is out of service, and says so once', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const failing = { retryStrategy: () => null, maxRetriesPerRequest: 0 };
    const redis = connections()[0].duplicate(failing);
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
