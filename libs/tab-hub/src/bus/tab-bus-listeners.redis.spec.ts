import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import { eventually } from '../../../../test/support/eventually.js';
import { describeWithRedis } from '../../../../test/support/services/describe-with.js';
import {
  redisForTests,
  type TestRedis,
} from '../../../../test/support/services/redis-for-tests.js';
import { type BusTimes, RedisTabBus } from './tab-bus.redis.js';
import type { TabBusMessage } from './tab-bus.js';

const SOON: BusTimes = { beatMs: 20, lifetimeMs: 600 };
const NEVER = 3_600_000;

/** Longer than any machine is busy, and its rounds are of a moment all the same. */
const LONG_MS = 60_000;

describeWithRedis('what Redis knows of who listens', () => {
  let database: TestRedis;
  let redis: Redis;
  let buses: RedisTabBus[];

  beforeAll(() => Logger.overrideLogger(false));
  afterAll(() => Logger.overrideLogger(true));
  beforeEach(async () => {
    database = await redisForTests();
    redis = new Redis(database.url);
    buses = [];
  });
  afterEach(async () => {
    await Promise.all(buses.map((bus) => bus.onApplicationShutdown()));
    redis.disconnect();
    await database.dispose();
  });

  function start(times?: BusTimes, on = redis) {
    const bus = new RedisTabBus(on, times);
    const losses: number[] = [];
    bus.onLost(() => losses.push(losses.length));
    buses.push(bus);
    return { bus, losses };
  }
  const keyOf = (userId: string) => `tabs:listeners:${userId}`;

  it('lasts as long as the listener says so', async () => {
    const { bus, losses } = start({ beatMs: 20, lifetimeMs: LONG_MS });
    const users = Array.from({ length: 100 }, (_, n) => `user-${n}`);
    await Promise.all(users.map((user) => bus.subscribe(user, () => {})));
    await Promise.all(users.map((user) => redis.pexpire(keyOf(user), LONG_MS / 2)));
    await eventually(async () => {
      const left = await Promise.all(users.map((user) => redis.pttl(keyOf(user))));
      expect(Math.min(...left)).toBeGreaterThan(LONG_MS / 2);
    });
    expect(losses).toEqual([]);
  });

  it('is gone some time after a listener died without a word', async () => {
    await redis.sadd(keyOf('bob'), 'dead');
    const { bus } = start({ ...SOON, beatMs: NEVER });
    await bus.subscribe('ada', () => {});
    await eventually(async () => expect(await redis.exists(keyOf('ada'))).toBe(0));
  });

  it('is put right as soon as something is published for somebody who is gone', async () => {
    const { bus } = start();
    const received: TabBusMessage[] = [];
    await bus.subscribe('ada', (message) => received.push(message));
    await redis.sadd(keyOf('ada'), 'dead', 'dead too');
    const other = start().bus;
    await expect(other.publish('ada', { kind: 'tabs' })).resolves.toBe(1);
    expect(await redis.scard(keyOf('ada'))).toBe(1);
    await eventually(() => expect(received).toEqual([{ kind: 'tabs' }]));
  });

  it('is put right by who gets what it does not listen to', async () => {
    const { bus } = start();
    await bus.subscribe('ada', () => {});
    const [id = ''] = await redis.smembers(keyOf('ada'));
    await redis.sadd(keyOf('bob'), id);
    const other = start().bus;
    await expect(other.publish('bob', { kind: 'tabs' })).resolves.toBe(1);
    await eventually(async () => expect(await redis.exists(keyOf('bob'))).toBe(0));
    await expect(other.publish('ada', { kind: 'tabs' })).resolves.toBe(1);
  });

  it('is missed when Redis has forgotten it: all subscriptions are void, and new ones work', async () => {
    const { bus, losses } = start({ beatMs: 20, lifetimeMs: NEVER });
    const received: string[] = [];
    await bus.subscribe('ada', () => received.push('old'));
    await redis.flushdb();
    await eventually(() => expect(losses).toEqual([0]));
    await eventually(() => bus.subscribe('ada', () => received.push('new')));
    await start().bus.publish('ada', { kind: 'tabs' });
    await eventually(() => expect(received).toEqual(['new']));
    expect(losses).toEqual([0]);
  });

  it('brings many messages to each replica in one piece, and to this one without Redis', async () => {
    const [bus, far] = [start().bus, start().bus];
    const here: string[] = [];
    const pieces: string[] = [];
    await bus.subscribe('ada', (message) => message.kind === 'ack' && here.push(message.id));
    await far.subscribe('ada', () => {});
    const wire = new Redis(database.url);
    await wire.ping();
    wire.on('message', (_channel, text: string) => pieces.push(text));
    for (const id of await redis.smembers(keyOf('ada'))) {
      await wire.subscribe(`tabs:${redis.options.db}:${id}`);
    }
    const ids = Array.from({ length: 50 }, (_, n) => String(n));
    const published = ids.map((id) => bus.publish('ada', { kind: 'ack', id, delivered: 1 }));
    await Promise.resolve();
    expect(here).toEqual(ids);
    expect(await Promise.all(published)).toEqual(ids.map(() => 2));
    await eventually(() => expect(pieces).toHaveLength(1));
    wire.disconnect();
  });
});
