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

  const channelOf = (userId: string) => `tabs:${redis.options.db}:${userId}`;
  const listeners = async (userIds: string[]) => {
    const counts = await redis.pubsub('NUMSUB', ...userIds.map(channelOf));
    return counts.filter((entry) => typeof entry === 'number').reduce((a, b) => a + b, 0);
  };
  const subscriberLines = async () => {
    const lines = String(await redis.client('LIST')).split('\n');
    return lines.filter(
      (line) => line.includes('gatehouse-tab-bus') && line.includes(` db=${redis.options.db} `),
    );
  };

  it('has one connection and a channel per account, and no channel when all have ended', async () => {
    const subscribing = [...ACCOUNTS, ...ACCOUNTS].map((id) => bus.subscribe(id, () => {}));
    const ends = await Promise.all(subscribing);
    await expect(listeners(ACCOUNTS)).resolves.toBe(ACCOUNTS.length);
    await expect(redis.pubsub('NUMPAT')).resolves.toBe(0);
    expect(await subscriberLines()).toEqual([expect.stringContaining(' sub=200 psub=0 ')]);
    await Promise.all(ends.map((end) => end()));
    await expect(listeners(ACCOUNTS)).resolves.toBe(0);
    expect(await subscriberLines()).toEqual([expect.stringContaining(' sub=0 psub=0 ')]);
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
    for (const junk of ['', '{', '[]', '{"kind":"tab"}', '\u0000']) {
      await redis.publish(channelOf('ada'), junk);
    }
    await bus.publish('ada', { kind: 'tabs' });
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
    await expect(listeners(['ada', 'bob'])).resolves.toBe(0);
    expect(lost).toBe(1);
  });

  it('closes without a trace and without a word', async () => {
    await bus.subscribe('ada', () => {});
    await bus.onApplicationShutdown();
    await eventually(async () => expect(await subscriberLines()).toEqual([]));
    await expect(bus.subscribe('ada', () => {})).rejects.toMatchObject({ code: 'ECONNABORTED' });
    expect(lost).toBe(0);
  });
});
