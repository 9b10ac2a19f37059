import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { closeRedis, isRedisOutage, openRedis } from '#libs/platform';
import { eventually } from '../../../../test/support/eventually.js';
import { describeWithRedis } from '../../../../test/support/services/describe-with.js';
import {
  type RedisServer,
  startRedisServer,
} from '../../../../test/support/services/redis-server.js';
import { InProcessTabBus } from '../bus/tab-bus.in-process.js';
import { newTab } from './tab-presence.contract.js';
import { RedisTabPresence } from './tab-presence.redis.js';

describeWithRedis('RedisTabPresence in an outage', () => {
  let server: RedisServer;
  let redis: Redis;
  let bus: InProcessTabBus;
  let presence: RedisTabPresence;
  let lost: number;

  beforeAll(() => Logger.overrideLogger(false));
  afterAll(() => Logger.overrideLogger(true));
  beforeEach(async () => {
    server = await startRedisServer();
    redis = await openRedis({ url: server.url }, 5_000);
    bus = new InProcessTabBus();
  });
  afterEach(async () => {
    await presence.onApplicationShutdown();
    await closeRedis(redis);
    await server.stop();
  });

  function start(deadMs: number) {
    presence = new RedisTabPresence(redis, bus, { heartbeatMs: 50, deadMs });
    lost = 0;
    presence.onLost(() => void lost++);
  }
  const isOut = (work: Promise<unknown>) =>
    expect(work.then(() => 'done', isRedisOutage)).resolves.toBe(true);

  it('rejects while Redis is frozen, and takes away later what may have got there', async () => {
    start(60_000);
    const [kept, removed, rejected] = [newTab(), newTab(), newTab()];
    await presence.add('ada', kept);
    await presence.add('ada', removed);
    let announcements = 0;
    await bus.subscribe('ada', () => void announcements++);
    server.freeze();
    await Promise.all([
      isOut(presence.list('ada')),
      isOut(presence.add('ada', rejected)),
      isOut(presence.add('bob', rejected)),
      isOut(presence.update('ada', kept)),
      isOut(presence.remove('ada', removed.id)),
    ]);
    server.thaw();
    await eventually(async () => expect(await presence.list('ada')).toEqual([kept]));
    await eventually(async () => expect(await redis.exists('tabs:of:bob')).toBe(0));
    await eventually(() => expect(announcements).toBeGreaterThan(0));
    expect(lost).toBe(0);
  });

  it('loses its lease when Redis comes back empty', async () => {
    start(60_000);
    await presence.add('ada', newTab());
    await server.stop();
    await isOut(presence.add('ada', newTab()));
    server = await startRedisServer(server.port);
    await eventually(() => expect(lost).toBe(1));
    const tab = newTab();
    await eventually(async () => expect(await presence.add('ada', tab)).toBeDefined());
    await expect(presence.list('ada')).resolves.toEqual([tab]);
    expect(lost).toBe(1);
  });

  it('gives its lease up once when Redis stays away', async () => {
    start(500);
    await presence.add('ada', newTab());
    await server.stop();
    await eventually(() => expect(lost).toBe(1));
    server = await startRedisServer(server.port);
    const tab = newTab();
    await eventually(async () => expect(await presence.add('ada', tab)).toBeDefined());
    await eventually(async () => expect(await redis.zcard('tabs:replicas')).toBe(1));
  });

  it('starts without Redis, and takes tabs when it is there', async () => {
    await server.stop();
    start(60_000);
    await isOut(presence.add('ada', newTab()));
    server = await startRedisServer(server.port);
    const tab = newTab();
    await eventually(async () => expect(await presence.add('ada', tab)).toBeDefined());
    await eventually(async () => expect(await presence.list('ada')).toEqual([tab]));
    expect(lost).toBe(0);
  });
});
