import { Logger, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { Redis } from 'ioredis';
import { AccountTurns, closeRedis, isRedisOutage, openRedis, RedisModule } from '#libs/platform';
import {
  describeWithRedis,
  eventually,
  redisForTests,
  type RedisServer,
  startRedisServer,
  type TestRedis,
} from '#libs/platform/testing';
import { InProcessTabBus } from '../bus/tab-bus.in-process.js';
import { TabBus, type TabBusMessage, TOOLS_CHANGED } from '../bus/tab-bus.js';
import { RedisTabBus } from '../bus/tab-bus.redis.js';
import { MAX_TABS_PER_ACCOUNT, type Tab } from '../protocol/tab.js';
import {
  describeNotesOfOffers,
  describeTabPresence,
  newTab,
  newTool,
} from './tab-presence.contract.js';
import { OfferNotes, TabPresence } from './tab-presence.js';
import { RedisTabPresence } from './tab-presence.redis.js';

describeWithRedis('RedisTabPresence', () => {
  const replicaOn = (redis: Redis) => new RedisTabPresence(redis, new InProcessTabBus());

  const open = async () => {
    const database = await redisForTests();
    const connections = [new Redis(database.url), new Redis(database.url)] as const;
    const replicas = [replicaOn(connections[0]), replicaOn(connections[1])] as const;
    return {
      replicas,
      close: async () => {
        await Promise.all(replicas.map((replica) => replica.onApplicationShutdown()));
        for (const redis of connections) redis.disconnect();
        await database.dispose();
      },
    };
  };

  describe('as a port', () => {
    describeTabPresence(open);
  });

  describe('and notes on offers', () => {
    describeNotesOfOffers(open);
  });

  describe('its records', () => {
    let database: TestRedis;
    let redis: Redis;
    let one: RedisTabPresence;
    let two: RedisTabPresence;

    beforeEach(async () => {
      database = await redisForTests();
      redis = new Redis(database.url);
      [one, two] = [replicaOn(redis), replicaOn(redis)];
    });
    afterEach(async () => {
      await Promise.all([one.onApplicationShutdown(), two.onApplicationShutdown()]);
      redis.disconnect();
      await database.dispose();
    });

    it('are only the replicas when all tabs are gone, and nothing when all replicas are', async () => {
      const users = Array.from({ length: 50 }, (_, n) => `user-${n % 20}`);
      const tabs = users.map((user, n) => ({ user, tab: newTab(), replica: n % 3 ? one : two }));
      await Promise.all(tabs.map(({ user, tab, replica }) => replica.add(user, tab)));
      await expect(redis.dbsize()).resolves.toBe(23);
      await Promise.all(tabs.map(({ user, tab, replica }) => replica.remove(user, tab.id)));
      await expect(redis.keys('*')).resolves.toEqual(['tabs:replicas']);
      await expect(redis.zcard('tabs:replicas')).resolves.toBe(2);
      await Promise.all([one.onApplicationShutdown(), two.onApplicationShutdown()]);
      await expect(redis.dbsize()).resolves.toBe(0);
    });

    it('of a replica that leaves go with it, and nothing of the others', async () => {
      const [mine, theirs] = [newTab(), newTab()];
      await one.add('ada', mine);
      await one.add('bob', newTab());
      await two.add('ada', theirs);
      await one.onApplicationShutdown();
      await expect(two.list('ada')).resolves.toEqual([theirs]);
      await expect(two.list('bob')).resolves.toEqual([]);
      await expect(redis.dbsize()).resolves.toBe(3);
    });

    it('name an account as long as one tab of it is there', async () => {
      const tabs = [newTab(), newTab()];
      for (const tab of tabs) await one.add('ada', tab);
      await one.remove('ada', tabs[0]?.id ?? '');
      await one.onApplicationShutdown();
      await expect(redis.dbsize()).resolves.toBe(0);
    });

    const notes = new OfferNotes();
    jest.spyOn(notes, 'decide').mockImplementation((own) => new Map([[own, 'noted']]));
    /** What the page in a tab offers. */
    const offer = (at: RedisTabPresence, tab: Tab) =>
      at.offer('ada', { ...tab, toolNames: ['a'] }, [newTool('a')], notes);

    it('of tools are gone with the tab, or with its replica', async () => {
      const [mine, theirs] = [newTab(), newTab()];
      await one.add('ada', mine);
      await two.add('ada', theirs);
      await offer(one, mine);
      await offer(two, theirs);
      const lengths = () =>
        Promise.all(['tools', 'notes'].map((kind) => redis.hlen(`tabs:${kind}:ada`)));
      await expect(lengths()).resolves.toEqual([2, 2]);
      await one.onApplicationShutdown();
      await expect(lengths()).resolves.toEqual([1, 1]);
      await two.remove('ada', theirs.id);
      await expect(redis.keys('*')).resolves.toEqual(['tabs:replicas']);
    });

    it('of tools that an earlier version has left are gone when the account comes again', async () => {
      const tab = newTab();
      await one.add('ada', tab);
      await offer(one, tab);
      await redis.del('tabs:of:ada');
      await two.add('ada', newTab());
      await expect(redis.exists('tabs:tools:ada', 'tabs:notes:ada')).resolves.toBe(0);
    });

    it('of notes that an earlier version has left of a closed tab count for nothing', async () => {
      const [gone, stays] = [newTab(), newTab()];
      for (const tab of [gone, stays]) await one.add('ada', tab);
      await offer(one, gone);
      const [field = ''] = await redis.hkeys('tabs:notes:ada');
      await redis.hdel('tabs:of:ada', field);
      await offer(two, stays);
      expect(notes.decide).toHaveBeenLastCalledWith(
        expect.stringContaining(stays.id),
        expect.anything(),
        expect.anything(),
        new Map(),
      );
    });

    it('of tabs that an earlier version has written are read', async () => {
      const { toolNames, ...tab } = newTab();
      await one.add('ada', newTab());
      const [field = ''] = await redis.hkeys('tabs:of:ada');
      await redis.hset('tabs:of:ada', field, JSON.stringify(tab));
      await expect(two.list('ada')).resolves.toEqual([{ ...tab, toolNames }]);
      const lastFrameAt = Date.parse(tab.connectedAt);
      await expect(two.tools('ada')).resolves.toEqual([
        { tab: { ...tab, toolNames }, tools: [], lastFrameAt },
      ]);
    });

    it('of a list that has not changed are parsed once', async () => {
      const tab = newTab();
      await one.add('ada', tab);
      await offer(one, tab);
      const [first, again] = [await two.tools('ada'), await two.tools('ada')];
      expect(again[0]?.tools).toBe(first[0]?.tools);
    });

    it('of lists are parsed in a turn of their account', async () => {
      const tab = newTab();
      await one.add('ada', tab);
      const turns = new AccountTurns();
      jest.spyOn(turns, 'take').mockRejectedValue(new Error('it is the turn of others'));
      const three = new RedisTabPresence(redis, new InProcessTabBus(), undefined, turns);
      await expect(three.tools('ada')).rejects.toThrow('turn of others');
      await expect(three.find('ada', tab.id)).rejects.toThrow('turn of others');
      await expect(three.list('ada')).rejects.toThrow('turn of others');
      await expect(three.has('ada', 'other')).resolves.toBe(false);
      await three.onApplicationShutdown();
    });

    it('are read once at a time for an account, and for few accounts at once', async () => {
      const under = { way: 0, most: 0, ofAda: 0, mostOfAda: 0 };
      const three = new RedisTabPresence(redis, new InProcessTabBus());
      const asked = jest.spyOn(redis, 'tabsTools').mockImplementation(async (...[, key]) => {
        const ofAda = key.includes('ada') ? 1 : 0;
        under.most = Math.max(under.most, (under.way += 1));
        under.mostOfAda = Math.max(under.mostOfAda, (under.ofAda += ofAda));
        await new Promise((resolve) => setImmediate(resolve));
        under.way -= 1;
        under.ofAda -= ofAda;
        return [];
      });
      const users = ['ada', 'bob', 'cid', 'dan', 'eve', 'fay'].flatMap((id) => [id, id, id]);
      await Promise.all(users.map((id) => three.tools(id)));
      asked.mockRestore();
      expect([under.most, under.mostOfAda]).toEqual([4, 1]);
      await three.onApplicationShutdown();
    });

    it('survive that Redis forgets its scripts', async () => {
      await redis.script('FLUSH');
      const tab = newTab();
      await expect(one.add('ada', tab)).resolves.toEqual([tab]);
      await redis.script('FLUSH');
      await expect(one.list('ada')).resolves.toEqual([tab]);
    });
  });
});

const NEVER = 3_600_000;
interface Times {
  readonly heartbeatMs: number;
  readonly deadMs: number;
}

/** Sends no heartbeat after the first tab. */
const SILENT: Times = { heartbeatMs: NEVER, deadMs: NEVER };
/** Is alive, and gives others up soon. */
const WATCHING = { heartbeatMs: 50, deadMs: 1_000 };

describeWithRedis('RedisTabPresence and dead replicas', () => {
  let database: TestRedis;
  let redis: Redis;
  let bus: RedisTabBus;
  let replicas: RedisTabPresence[];
  let timers: NodeJS.Timeout[];

  beforeAll(() => Logger.overrideLogger(false));
  afterAll(() => Logger.overrideLogger(true));
  beforeEach(async () => {
    database = await redisForTests();
    redis = new Redis(database.url);
    bus = new RedisTabBus(redis);
    [replicas, timers] = [[], []];
  });
  afterEach(async () => {
    timers.forEach((timer) => clearInterval(timer));
    await Promise.all([bus, ...replicas].map((provider) => provider.onApplicationShutdown()));
    redis.disconnect();
    await database.dispose();
  });

  function start({ heartbeatMs, deadMs }: Times, on = redis) {
    const presence = new RedisTabPresence(on, bus, deadMs);
    timers.push(setInterval(() => void presence.heartbeat(), heartbeatMs));
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

  it('does not remove one by one what goes with the cleanup of its lost lease', async () => {
    const { presence, losses } = start(WATCHING);
    const removing = jest.spyOn(redis, 'tabsRemove').mockRejectedValueOnce(new Error('timed out'));
    const beating = jest.spyOn(redis, 'tabsHeartbeat').mockResolvedValueOnce(null);
    await expect(presence.remove('ada', newTab().id)).rejects.toThrow('timed out');
    await eventually(() => expect(losses).toEqual([0]));
    await eventually(() => expect(beating.mock.calls.length).toBeGreaterThan(2));
    expect(removing).toHaveBeenCalledTimes(1);
  });

  it('does not let a clock that was set back keep the dead alive', async () => {
    await redis.zadd('tabs:replicas', Date.now() + NEVER, 'dead');
    await redis.sadd('tabs:at:dead', 'ada');
    start(WATCHING);
    await eventually(async () => expect(await redis.zscore('tabs:replicas', 'dead')).toBeNull());
  });
});

describeWithRedis('RedisTabPresence in an outage', () => {
  let server: RedisServer;
  let redis: Redis;
  let bus: InProcessTabBus;
  let presence: RedisTabPresence;
  let lost: number;
  let timer: NodeJS.Timeout;

  beforeAll(() => Logger.overrideLogger(false));
  afterAll(() => Logger.overrideLogger(true));
  beforeEach(async () => {
    server = await startRedisServer();
    redis = await openRedis({ url: server.url }, 5_000);
    bus = new InProcessTabBus();
  });
  afterEach(async () => {
    clearInterval(timer);
    await presence.onApplicationShutdown();
    await closeRedis(redis);
    await server.stop();
  });

  function start(deadMs: number) {
    presence = new RedisTabPresence(redis, bus, deadMs);
    timer = setInterval(() => void presence.heartbeat(), 50);
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

@Module({
  providers: [
    { provide: TabBus, useFactory: (redis: Redis) => new RedisTabBus(redis), inject: [Redis] },
    {
      provide: TabPresence,
      useFactory: (redis: Redis, bus: TabBus) => new RedisTabPresence(redis, bus),
      inject: [Redis, TabBus],
    },
  ],
})
class PlainTabsModule {}

describeWithRedis('the tabs of an application', () => {
  it('leave nothing in Redis when it closes, no record and no connection', async () => {
    const database = await redisForTests();
    const redis = new Redis(database.url);
    const connections = async () => {
      const lines = String(await redis.client('LIST')).split('\n');
      return lines.filter((line) => line.includes(` db=${redis.options.db} `)).length;
    };
    const application = await Test.createTestingModule({
      imports: [PlainTabsModule, RedisModule.forRoot(database)],
    }).compile();
    await application.init();
    let lost = 0;
    application.get(TabBus).onLost(() => void lost++);
    application.get(TabPresence).onLost(() => void lost++);
    await application.get(TabBus).subscribe('ada', () => {});
    await application.get(TabPresence).add('ada', newTab());
    await expect(redis.dbsize()).resolves.toBe(4);
    // Connections of an earlier user of this database may still be open.
    await eventually(async () => expect(await connections()).toBe(3));
    await application.close();
    await expect(redis.dbsize()).resolves.toBe(0);
    await eventually(async () => expect(await connections()).toBe(1));
    expect(lost).toBe(0);
    redis.disconnect();
    await database.dispose();
  });
});
