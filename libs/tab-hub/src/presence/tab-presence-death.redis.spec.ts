import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import { eventually } from '../../../../test/support/eventually.js';
import { describeWithRedis } from '../../../../test/support/services/describe-with.js';
import {
  redisForTests,
  type TestRedis,
} from '../../../../test/support/services/redis-for-tests.js';
import { RedisTabBus } from '../bus/tab-bus.redis.js';
import { type TabBusMessage, TOOLS_CHANGED } from '../bus/tab-bus.js';
import { MAX_TABS_PER_ACCOUNT } from '../protocol/tab.js';
import { newTab } from './tab-presence.contract.js';
import { type PresenceTimes, RedisTabPresence } from './tab-presence.redis.js';

const NEVER = 3_600_000;
/** Says nothing more after its first word. */
const SILENT = { heartbeatMs: NEVER, deadMs: NEVER };
/** Is alive, and gives others up soon. */
const WATCHING = { heartbeatMs: 50, deadMs: 1_000 };

describeWithRedis('RedisTabPresence and dead replicas', () => {
  let database: TestRedis;
  let redis: Redis;
  let bus: RedisTabBus;
  let replicas: RedisTabPresence[];

  beforeAll(() => Logger.overrideLogger(false));
  afterAll(() => Logger.overrideLogger(true));
  beforeEach(async () => {
    database = await redisForTests();
    redis = new Redis(database.url);
    bus = new RedisTabBus(redis);
    replicas = [];
  });
  afterEach(async () => {
    await Promise.all([bus, ...replicas].map((provider) => provider.onApplicationShutdown()));
    redis.disconnect();
    await database.dispose();
  });

  function start(times: PresenceTimes, on = redis) {
    const presence = new RedisTabPresence(on, bus, times);
    const losses: number[] = [];
    presence.onLost(() => losses.push(losses.length));
    replicas.push(presence);
    return { presence, losses };
  }

  async function records() {
    const keys = await redis.keys('*');
    return keys.filter((key) => !key.startsWith('tabs:listeners:'));
  }
  async function listen(userId: string) {
    const received: TabBusMessage[] = [];
    await bus.subscribe(userId, (message) => received.push(message));
    return received;
  }

  it('takes the tabs of a silent replica away, tells their accounts, and forgets it', async () => {
    const silent = start(SILENT);
    const users = Array.from({ length: 150 }, (_, n) => `user-${n}`);
    await Promise.all(users.map((user) => silent.presence.add(user, newTab())));
    const received = await Promise.all(users.map(listen));
    const bystander = await listen('bystander');
    const { presence } = start(WATCHING);
    await eventually(async () => expect(await records()).toEqual(['tabs:replicas']));
    await eventually(async () => expect(await redis.zcard('tabs:replicas')).toBe(1));
    await eventually(() => {
      for (const messages of received) expect(messages).toContainEqual(TOOLS_CHANGED);
    });
    await expect(presence.list('user-0')).resolves.toEqual([]);
    expect(bystander).toEqual([]);
  });

  it('counts no tabs of the dead, even before they are taken away', async () => {
    const silent = start(SILENT);
    const full = Array.from({ length: MAX_TABS_PER_ACCOUNT }, () => newTab());
    await Promise.all(full.map((tab) => silent.presence.add('ada', tab)));
    const { presence } = start({ heartbeatMs: NEVER, deadMs: 500 });
    await eventually(async () => expect(await presence.list('ada')).toEqual([]));
    const tab = newTab();
    await expect(presence.add('ada', tab)).resolves.toHaveLength(1);
    await expect(redis.hlen('tabs:of:ada')).resolves.toBe(MAX_TABS_PER_ACCOUNT + 1);
  });

  it('leaves the tabs of the living alone', async () => {
    const silent = start(SILENT);
    const alive = start({ heartbeatMs: 50, deadMs: NEVER });
    const tab = newTab();
    await silent.presence.add('ada', newTab());
    await alive.presence.add('ada', tab);
    const { presence } = start({ heartbeatMs: 50, deadMs: 3_000 });
    await eventually(async () => expect(await presence.list('ada')).toEqual([tab]));
    await eventually(async () => expect(await redis.hlen('tabs:of:ada')).toBe(1));
    expect(alive.losses).toEqual([]);
  });

  it('goes on where a cleanup broke off', async () => {
    await redis.zadd('tabs:replicas', 1, 'dead');
    await redis.sadd('tabs:at:dead', 'ada', 'bob');
    await redis.hset('tabs:of:bob', 'dead:t', JSON.stringify(newTab()));
    const received = await Promise.all(['ada', 'bob'].map(listen));
    start(WATCHING);
    await eventually(async () => expect(await records()).toEqual(['tabs:replicas']));
    await eventually(() =>
      expect(received.map((messages) => messages[0]?.kind)).toEqual(['tabs', 'tabs']),
    );
  });

  it('tells a replica that was given up, and takes its new tabs', async () => {
    const silent = start(SILENT);
    const [old, young] = [newTab(), newTab()];
    await silent.presence.add('ada', old);
    const { presence } = start(WATCHING);
    await eventually(async () => expect(await presence.list('ada')).toEqual([]));
    await eventually(async () => expect(await redis.exists('tabs:of:ada')).toBe(0));
    await eventually(async () => expect(await redis.zcard('tabs:replicas')).toBe(1));
    const adding = Array.from({ length: 3 }, () => silent.presence.add('bob', newTab()));
    const added = await Promise.all([...adding, silent.presence.add('ada', young)]);
    expect(added).not.toContain(undefined);
    expect(silent.losses).toEqual([0]);
    await silent.presence.remove('ada', old.id);
    await silent.presence.update('ada', { ...old, title: 'late' });
    await expect(silent.presence.list('ada')).resolves.toEqual([young]);
  });

  it('finds out by its own heartbeat that it was silent for too long', async () => {
    const slow = start({ heartbeatMs: 700, deadMs: 100 });
    await slow.presence.add('ada', newTab());
    await eventually(() => expect(slow.losses.length).toBeGreaterThan(0));
    await eventually(async () => expect(await redis.exists('tabs:of:ada')).toBe(0));
  });

  it('finds out that Redis has forgotten everything', async () => {
    const { presence, losses } = start({ heartbeatMs: 50, deadMs: NEVER });
    await presence.add('ada', newTab());
    await redis.flushdb();
    await eventually(() => expect(losses).toEqual([0]));
    await eventually(async () => expect(await redis.zcard('tabs:replicas')).toBe(1));
    await expect(presence.add('ada', newTab())).resolves.toHaveLength(1);
    expect(losses).toEqual([0]);
  });

  it('gives itself up, once, when it is cut off for too long; others clean up after it', async () => {
    const connection = new Redis(database.url, { enableOfflineQueue: false });
    await eventually(async () => expect(await connection.ping()).toBe('PONG'));
    const cutOff = start(WATCHING, connection);
    await cutOff.presence.add('ada', newTab());
    connection.disconnect();
    const received = await listen('ada');
    start(WATCHING);
    await eventually(() => expect(cutOff.losses).toEqual([0]));
    await eventually(() => expect(received).toContainEqual(TOOLS_CHANGED));
    await eventually(async () => expect(await redis.exists('tabs:of:ada')).toBe(0));
    expect(cutOff.losses).toEqual([0]);
  });

  it('does not let a clock that was set back keep the dead alive', async () => {
    await redis.zadd('tabs:replicas', Date.now() + NEVER, 'dead');
    await redis.sadd('tabs:at:dead', 'ada');
    start(WATCHING);
    await eventually(async () => expect(await redis.zscore('tabs:replicas', 'dead')).toBeNull());
  });
});
