import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import { eventually } from '../../../../test/support/eventually.js';
import { describeWithRedis } from '../../../../test/support/services/describe-with.js';
import {
  redisForTests,
  type TestRedis,
} from '../../../../test/support/services/redis-for-tests.js';
import { describeTabBus } from './tab-bus.contract.js';
import { RedisTabBus } from './tab-bus.redis.js';
import type { TabBusMessage } from './tab-bus.js';

const ACCOUNTS = Array.from({ length: 200 }, (_, n) => `user-${n}`);

describeWithRedis('RedisTabBus', () => {
  let database: TestRedis;
  let redis: Redis;
  let bus: RedisTabBus;
  let lost: number;

  beforeAll(() => Logger.overrideLogger(false));
  afterAll(() => Logger.overrideLogger(true));

  describe('as a port', () => {
    describeTabBus(async () => {
      const shared = await redisForTests();
      const connections = [new Redis(shared.url), new Redis(shared.url), new Redis(shared.url)];
      const [one, two, three] = connections.map((connection) => new RedisTabBus(connection));
      if (!one || !two || !three) throw new Error('unreachable');
      return {
        replicas: [one, two, three],
        close: async () => {
          await Promise.all([one, two, three].map((replica) => replica.onApplicationShutdown()));
          for (const connection of connections) connection.disconnect();
          await shared.dispose();
        },
      };
    });
  });

  beforeEach(async () => {
    database = await redisForTests();
    redis = new Redis(database.url);
    bus = new RedisTabBus(redis);
    lost = 0;
    bus.onLost(() => void lost++);
  });
  afterEach(async () => {
    await bus.onApplicationShutdown();
    redis.disconnect();
    await database.dispose();
  });

  const listeners = (userId: string) => redis.smembers(`tabs:listeners:${userId}`);
  const channels = async () => {
    const names = await redis.pubsub('CHANNELS', `tabs:${redis.options.db}:*`);
    return names.map(String);
  };
  const subscriberLines = async () => {
    const lines = String(await redis.client('LIST')).split('\n');
    return lines.filter(
      (line) => line.includes('gatehouse-tab-bus') && line.includes(` db=${redis.options.db} `),
    );
  };

  it('has one connection and one channel, and lists accounts until all have ended', async () => {
    const subscribing = [...ACCOUNTS, ...ACCOUNTS].map((id) => bus.subscribe(id, () => {}));
    const ends = await Promise.all(subscribing);
    const [channel = ''] = await channels();
    const id = channel.split(':')[2];
    for (const user of ACCOUNTS) expect(await listeners(user)).toEqual([id]);
    expect(await subscriberLines()).toEqual([expect.stringContaining(' sub=1 psub=0 ')]);
    await Promise.all(ends.map((end) => end()));
    await expect(redis.keys('*')).resolves.toEqual([]);
  });

  it('receives nothing of other logical databases of the same Redis', async () => {
    const elsewhere = await redisForTests();
    const stranger = new Redis(elsewhere.url);
    const strangers = new RedisTabBus(stranger);
    const received: TabBusMessage[] = [];
    await bus.subscribe('ada', (message) => received.push(message));
    await expect(strangers.publish('ada', { kind: 'tabs' })).resolves.toBe(0);
    await bus.publish('ada', { kind: 'session-ended', session: 's' });
    await eventually(() => expect(received).toEqual([{ kind: 'session-ended', session: 's' }]));
    await strangers.onApplicationShutdown();
    stranger.disconnect();
    await elsewhere.dispose();
  });

  it('drops what is no message', async () => {
    const received: TabBusMessage[] = [];
    await bus.subscribe('ada', (message) => received.push(message));
    const [channel = ''] = await channels();
    for (const junk of ['', '{', '[]', '["ada"]', '[["ada",{"kind":"tab"}]]', '\u0000']) {
      await redis.publish(channel, junk);
    }
    await redis.publish(channel, '[["ada",{"kind":"tab"}],["ada",{"kind":"tabs"}]]');
    await eventually(() => expect(received).toEqual([{ kind: 'tabs' }]));
  });

  it('loses all subscriptions with its connection, says so once, and takes new ones', async () => {
    const received: string[] = [];
    const end = await bus.subscribe('ada', () => received.push('old'));
    await bus.subscribe('bob', () => received.push('old'));
    const [line = ''] = await subscriberLines();
    await redis.client('KILL', 'ID', /id=(\d+) /.exec(line)?.[1] ?? '');
    await eventually(() => expect(lost).toBe(1));
    const again = await eventually(() => bus.subscribe('ada', () => received.push('new')));
    await end();
    await expect(bus.publish('ada', { kind: 'tabs' })).resolves.toBe(1);
    await expect(bus.publish('bob', { kind: 'tabs' })).resolves.toBe(0);
    await eventually(() => expect(received).toEqual(['new']));
    await again();
    expect(lost).toBe(1);
  });

  it('closes without a trace and without a word', async () => {
    await bus.subscribe('ada', () => {});
    await bus.onApplicationShutdown();
    await expect(redis.keys('*')).resolves.toEqual([]);
    await eventually(async () => expect(await subscriberLines()).toEqual([]));
    await expect(bus.subscribe('ada', () => {})).rejects.toMatchObject({ code: 'ECONNABORTED' });
    expect(lost).toBe(0);
  });
});
