import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import {
  describeWithRedis,
  eventually,
  redisForTests,
  type TestRedis,
} from '#libs/platform/testing';
import type { Cancellation } from './cancellation.js';
import { RedisCancellations } from './cancellation.redis.js';

describeWithRedis('cancellations over Redis', () => {
  let database: TestRedis;
  let connections: Redis[];
  let replicas: RedisCancellations[];
  let heard: Cancellation[][];

  beforeAll(async () => {
    Logger.overrideLogger(false);
    database = await redisForTests();
    connections = [new Redis(database.url), new Redis(database.url)];
  });
  beforeEach(async () => {
    heard = [[], []];
    replicas = connections.map((redis) => new RedisCancellations(redis));
    replicas.forEach((replica, n) =>
      replica.listen((cancellation) => heard[n]?.push(cancellation)),
    );
    await listening();
  });
  afterEach(() => Promise.all(replicas.map((replica) => replica.onApplicationShutdown())));
  afterAll(async () => {
    for (const redis of connections) redis.disconnect();
    await database.dispose();
  });

  const sender = () => connections[0] as Redis;
  const channel = () => `oauth:cancelled-calls:${sender().options.db}`;
  const listening = () =>
    eventually(async () => {
      expect(await sender().pubsub('NUMSUB', channel())).toEqual([channel(), 2]);
    });
  const heardByOther = (count: number) =>
    eventually(() => {
      expect(heard[1]).toHaveLength(count);
      return heard[1];
    });

  it('reach every replica, ids with their types', async () => {
    const all = [[1], ['1', 'x'], [2]].map((ids) => ({ grantId: 'g', ids }));
    for (const cancellation of all) replicas[0]?.publish(cancellation);
    expect(await heardByOther(3)).toEqual(all);
  });

  it('are not published for an id that is longer than any client needs', async () => {
    replicas[0]?.publish({ grantId: 'g', ids: ['x'.repeat(4_000)] });
    replicas[0]?.publish({ grantId: 'g', ids: [1] });
    expect(await heardByOther(1)).toEqual([{ grantId: 'g', ids: [1] }]);
  });

  it('survive malformed messages', async () => {
    for (const text of ['', '{', 'null', '[]', '[1,2]', '{"ids":[1]}']) {
      await sender().publish(channel(), text);
    }
    replicas[0]?.publish({ grantId: 'g', ids: [2] });
    expect(await heardByOther(1)).toEqual([{ grantId: 'g', ids: [2] }]);
  });
});
