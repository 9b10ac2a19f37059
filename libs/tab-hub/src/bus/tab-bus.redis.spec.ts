import { setImmediate as turn } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import { closeRedis, isRedisOutage, openRedis } from '#libs/platform';
import {
  describeWithRedis,
  eventually,
  redisForTests,
  type RedisServer,
  startRedisServer,
  type TestRedis,
} from '#libs/platform/testing';
import { describeTabBus } from './tab-bus.contract.js';
import { TabBusDownError, type TabBusMessage } from './tab-bus.js';
import { PublishBatcher, type Post, RedisTabBus } from './tab-bus.redis.js';

describe('PublishBatcher', () => {
  let sent: string[][];
  let answers: PromiseWithResolvers<readonly number[]>[];
  let batcher: PublishBatcher;

  beforeEach(() => {
    [sent, answers] = [[], []];
    batcher = new PublishBatcher((posts: readonly Post[]) => {
      sent.push(posts.map(({ text }) => text));
      const answer = Promise.withResolvers<readonly number[]>();
      answers.push(answer);
      return answer.promise;
    });
  });

  function post(text: string) {
    const posted = batcher.post({ userId: 'ann', text });
    posted.catch(() => undefined);
    return posted;
  }

  it('sends what was posted in one turn in one batch, and tells each its own number', async () => {
    const posts = ['a', 'b', 'c'].map(post);
    expect(sent).toEqual([]);
    await turn();
    expect(sent).toEqual([['a', 'b', 'c']]);
    answers[0]?.resolve([2, 0, 1]);
    expect(await Promise.all(posts)).toEqual([2, 0, 1]);
  });

  it('sends nothing while a batch is on its way, and then all that waits', async () => {
    const posts = [post('a')];
    await turn();
    posts.push(post('b'));
    await turn();
    posts.push(post('c'));
    await turn();
    expect(sent).toEqual([['a']]);
    answers[0]?.resolve([1]);
    await turn();
    expect(sent).toEqual([['a'], ['b', 'c']]);
    answers[1]?.resolve([1, 1]);
    await Promise.all(posts);
    void post('d');
    await turn();
    expect(sent.at(-1)).toEqual(['d']);
  });

  it('bounds a batch by count and by size, and keeps the order', async () => {
    const texts = Array.from({ length: 1_100 }, (_, n) => String(n));
    const large = ['x', 'y', 'z'].map((letter) => letter.repeat(600_000));
    const huge = 'h'.repeat(2_000_000);
    const posts = [...texts, ...large, huge].map(post);
    for (let n = 0; n < 7; n += 1) {
      await turn();
      answers[n]?.resolve([]);
    }
    await Promise.all(posts);
    expect(sent.flat()).toEqual([...texts, ...large, huge]);
    expect(sent.map(({ length }) => length)).toEqual([512, 512, 77, 1, 1, 1]);
  });

  it('fails what waits together with the batch that it waits for, and goes on after that', async () => {
    const first = post('a');
    await turn();
    const second = post('b');
    answers[0]?.reject(new Error('down'));
    await expect(first).rejects.toThrow('down');
    await expect(second).rejects.toThrow('down');
    const third = post('c');
    await turn();
    answers[1]?.resolve([3]);
    expect(await third).toBe(3);
    expect(sent).toEqual([['a'], ['c']]);
  });

  it('keeps 16 Mi characters waiting at most, and has room again for what left', async () => {
    const first = post('a');
    await turn();
    const large = 'x'.repeat(1024 * 1024 - 512);
    const waiting = Array.from({ length: 16 }, () => post(large));
    await expect(post('')).rejects.toBeInstanceOf(TabBusDownError);
    answers[0]?.resolve([1]);
    await turn();
    const next = post('b');
    answers[1]?.reject(new Error('down'));
    const others = await Promise.allSettled([...waiting, next]);
    expect(others.map(({ status }) => status)).toEqual(Array(17).fill('rejected'));
    expect(await first).toBe(1);
    const again = Array.from({ length: 16 }, () => post(large));
    await turn();
    answers[2]?.reject(new Error('down'));
    for (const settled of await Promise.allSettled(again)) {
      expect(settled).toMatchObject({ reason: { message: 'down' } });
    }
  });

  it('counts posts too, however short they are', async () => {
    const first = post('a');
    await turn();
    const all = Promise.allSettled([first, ...Array.from({ length: 40_000 }, () => post(''))]);
    answers[0]?.reject(new Error('down'));
    const full = (await all).filter(
      (settled) => settled.status === 'rejected' && settled.reason instanceof TabBusDownError,
    );
    expect(full).toHaveLength(40_000 - 32 * 1024);
  });
});

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

  it('leaves no key and no connection in Redis and reports no loss when it closes', async () => {
    await bus.subscribe('ada', () => {});
    await bus.onApplicationShutdown();
    await expect(redis.keys('*')).resolves.toEqual([]);
    await eventually(async () => expect(await subscriberLines()).toEqual([]));
    await expect(bus.subscribe('ada', () => {})).rejects.toMatchObject({ code: 'ECONNABORTED' });
    expect(lost).toBe(0);
  });
});

const NEVER = 3_600_000;

/** Longer than any machine is busy, and its rounds are of a moment all the same. */
const LONG_MS = 60_000;

describeWithRedis('what Redis knows of who listens', () => {
  let database: TestRedis;
  let redis: Redis;
  let buses: RedisTabBus[];
  let timers: NodeJS.Timeout[];

  beforeAll(() => Logger.overrideLogger(false));
  afterAll(() => Logger.overrideLogger(true));
  beforeEach(async () => {
    database = await redisForTests();
    redis = new Redis(database.url);
    [buses, timers] = [[], []];
  });
  afterEach(async () => {
    timers.forEach((timer) => clearInterval(timer));
    await Promise.all(buses.map((bus) => bus.onApplicationShutdown()));
    redis.disconnect();
    await database.dispose();
  });

  function start(lifetimeMs?: number, renewMs = NEVER) {
    const bus = new RedisTabBus(redis, lifetimeMs);
    timers.push(setInterval(() => void bus.renew(), renewMs));
    const losses: number[] = [];
    bus.onLost(() => losses.push(losses.length));
    buses.push(bus);
    return { bus, losses };
  }
  const keyOf = (userId: string) => `tabs:listeners:${userId}`;

  it('lasts as long as the listener says so', async () => {
    const { bus, losses } = start(LONG_MS, 20);
    const users = Array.from({ length: 100 }, (_, n) => `user-${n}`);
    await Promise.all(users.map((user) => bus.subscribe(user, () => {})));
    await Promise.all(users.map((user) => redis.pexpire(keyOf(user), LONG_MS / 2)));
    await eventually(async () => {
      const left = await Promise.all(users.map((user) => redis.pttl(keyOf(user))));
      expect(Math.min(...left)).toBeGreaterThan(LONG_MS / 2);
    });
    expect(losses).toEqual([]);
  });

  it('is renewed in equal shares, each account once a round, new ones too', async () => {
    const { bus } = start(LONG_MS, 20);
    const listening = jest.spyOn(redis, 'tabsListen').mockResolvedValue(0);
    const renewals = () => listening.mock.calls.map(([count, ...keys]) => keys.slice(0, count));
    const users = Array.from({ length: 10 }, (_, n) => `user-${n}`);
    for (const user of users) await bus.subscribe(user, () => {});
    listening.mockClear();
    await eventually(() => expect(renewals().length).toBeGreaterThanOrEqual(8));
    for (const round of [renewals().slice(0, 4), renewals().slice(4, 8)]) {
      expect(round.map(({ length }) => length)).toEqual([3, 3, 3, 3]);
      expect(new Set(round.flat())).toEqual(new Set(users.map(keyOf)));
    }
  });

  it('expires after a listener died without unsubscribing', async () => {
    await redis.sadd(keyOf('bob'), 'dead');
    const { bus } = start(600);
    await bus.subscribe('ada', () => {});
    await eventually(async () => expect(await redis.exists(keyOf('ada'))).toBe(0));
  });

  it('drops dead listeners at the next message published to them', async () => {
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
    const { bus, losses } = start(NEVER, 20);
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

describeWithRedis('RedisTabBus in an outage', () => {
  let server: RedisServer;
  let redis: Redis;
  let bus: RedisTabBus;
  let lost: number;
  let lines: string[];

  beforeEach(async () => {
    lines = [];
    const keep = (line: string, context: string) => {
      if (context === 'TabBus') lines.push(line);
    };
    Logger.overrideLogger({ log: keep, warn: keep, error: keep });
    server = await startRedisServer();
    redis = await openRedis({ url: server.url }, 5_000);
    bus = new RedisTabBus(redis);
    lost = 0;
    bus.onLost(() => void lost++);
    await bus.subscribe('ada', () => {});
  });
  afterEach(async () => {
    await bus.onApplicationShutdown();
    await closeRedis(redis);
    await server.stop();
    Logger.overrideLogger(true);
  });

  const failure = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: unknown) => error,
    );
  const isOut = async () => {
    const errors = await Promise.all([
      failure(bus.subscribe('bob', () => {})),
      failure(bus.publish('ada', { kind: 'tabs' })),
    ]);
    expect(errors.map(isRedisOutage)).toEqual([true, true]);
  };
  const works = async () => {
    let received = 0;
    const end = await eventually(() => bus.subscribe('bob', () => void received++));
    await eventually(async () => expect(await bus.publish('bob', { kind: 'tabs' })).toBe(1));
    await eventually(() => expect(received).toBe(1));
    await end();
    await expect(bus.publish('bob', { kind: 'tabs' })).resolves.toBe(0);
    await expect(bus.publish('ada', { kind: 'tabs' })).resolves.toBe(0);
  };
  const lossesSaid = () => ({ lost, lines });
  const once = {
    lost: 1,
    lines: [expect.stringMatching(/^does not hear Redis: /), 'hears Redis again'],
  };

  it('notices a Redis that is gone, and works when it is back', async () => {
    await server.stop();
    await eventually(() => expect(lost).toBe(1));
    await isOut();
    server = await startRedisServer(server.port);
    await works();
    expect(lossesSaid()).toEqual(once);
  });

  it('notices a frozen Redis within seconds, and works when it is back', async () => {
    server.freeze();
    await isOut();
    await bus.beat();
    expect(lost).toBe(0);
    await bus.beat();
    await eventually(() => expect(lost).toBe(1));
    await isOut();
    server.thaw();
    await works();
    expect(lossesSaid()).toEqual(once);
  });

  it('takes back a subscription that was not answered in time', async () => {
    server.freeze();
    await isOut();
    server.thaw();
    await eventually(async () => expect(await bus.publish('bob', { kind: 'tabs' })).toBe(0));
    await expect(bus.publish('ada', { kind: 'tabs' })).resolves.toBe(1);
    expect(lost).toBe(0);
  });

  it('reports no loss and logs nothing when it closes while Redis is frozen', async () => {
    server.freeze();
    await bus.onApplicationShutdown();
    await isOut();
    expect(lossesSaid()).toEqual({ lost: 0, lines: [] });
  });

  it('closes when Redis is gone', async () => {
    await server.stop();
    await eventually(() => expect(lost).toBe(1));
    await bus.onApplicationShutdown();
    await isOut();
    expect(lost).toBe(1);
  });

  it('starts without Redis, and works when it is there', async () => {
    await server.stop();
    const late = new RedisTabBus(redis);
    expect(isRedisOutage(await failure(late.subscribe('ada', () => {})))).toBe(true);
    server = await startRedisServer(server.port);
    const end = await eventually(() => late.subscribe('ada', () => {}));
    await eventually(async () => expect(await late.publish('ada', { kind: 'tabs' })).toBe(1));
    await end();
    await late.onApplicationShutdown();
  });
});
