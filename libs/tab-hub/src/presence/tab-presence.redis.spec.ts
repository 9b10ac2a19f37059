import { Redis } from 'ioredis';
import { AccountTurns } from '#libs/platform';
import { describeWithRedis } from '../../../../test/support/services/describe-with.js';
import {
  redisForTests,
  type TestRedis,
} from '../../../../test/support/services/redis-for-tests.js';
import { InProcessTabBus } from '../bus/tab-bus.in-process.js';
import type { Tab } from '../protocol/tab.js';
import { describeNamesOfTools } from './tab-presence-names.contract.js';
import { describeTabPresence, newTab, newTool } from './tab-presence.contract.js';
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

  describe('and names of tools', () => {
    describeNamesOfTools(open);
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

    /** What the page in a tab offers. */
    const offer = (at: RedisTabPresence, tab: Tab) =>
      at.offer('ada', { ...tab, toolNames: ['a'] }, [newTool('a')]);

    it('of tools are gone with the tab, or with its replica', async () => {
      const [mine, theirs] = [newTab(), newTab()];
      await one.add('ada', mine);
      await two.add('ada', theirs);
      await offer(one, mine);
      await offer(two, theirs);
      const lengths = () =>
        Promise.all(['tools', 'names'].map((kind) => redis.hlen(`tabs:${kind}:ada`)));
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
      await expect(redis.exists('tabs:tools:ada', 'tabs:names:ada')).resolves.toBe(0);
    });

    it('of names that an earlier version has left of a closed tab count for nothing', async () => {
      const [gone, stays] = [newTab(), newTab()];
      for (const tab of [gone, stays]) await one.add('ada', tab);
      await offer(one, gone);
      const [field = ''] = await redis.hkeys('tabs:names:ada');
      await redis.hdel('tabs:of:ada', field);
      const tools = [{ ...newTool('a'), description: 'another' }];
      await one.offer('ada', { ...stays, toolNames: ['a'] }, tools);
      const known = await two.find('ada', stays.id);
      expect([known?.tools, known?.suffixed]).toEqual([tools, undefined]);
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
      await one.add('ada', newTab());
      const turns = new AccountTurns();
      jest.spyOn(turns, 'take').mockRejectedValue(new Error('it is the turn of others'));
      const three = new RedisTabPresence(redis, new InProcessTabBus(), undefined, turns);
      await expect(three.tools('ada')).rejects.toThrow('turn of others');
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
