import { Redis } from 'ioredis';
import { describeWithRedis, redisForTests, type TestRedis } from '#libs/platform/testing';
import { budgetDay, endOfDay } from './budget.js';
import {
  describeBudgetsOfConnections,
  describeBudgetStore,
  type OpenBudgetStores,
} from './budget-store.contract.js';
import { RedisBudgetStore } from './budget-store.redis.js';

describeWithRedis('RedisBudgetStore', () => {
  const open = async (): Promise<OpenBudgetStores> => {
    const database = await redisForTests();
    const [one, two] = [new Redis(database.url), new Redis(database.url)];
    return {
      stores: [new RedisBudgetStore(one), new RedisBudgetStore(two)],
      close: async () => {
        one.disconnect();
        two.disconnect();
        await database.dispose();
      },
    };
  };
  describeBudgetStore(open);
  describe('charges of a connection', () => void describeBudgetsOfConnections(open));

  describe('its counters', () => {
    let database: TestRedis;
    let redis: Redis;
    const today = budgetDay(new Date());
    const dayAfterItsEnd = Date.parse(endOfDay(endOfDay(today).slice(0, 10))) / 1000;

    beforeAll(async () => {
      database = await redisForTests();
      redis = new Redis(database.url);
    });
    afterAll(async () => {
      redis.disconnect();
      await database.dispose();
    });

    it('are kept for a day after their day ends', async () => {
      const store = new RedisBudgetStore(redis);
      await store.reserve('ada', today, 5, 10);
      await store.giveBack('ada', today, 2);
      await expect(redis.keys('*')).resolves.toEqual([`budget:ada:${today}`]);
      await expect(redis.expiretime(`budget:ada:${today}`)).resolves.toBe(dayAfterItsEnd);
    });

    it('of connections, and their list, are kept as long', async () => {
      const store = new RedisBudgetStore(redis);
      await store.reserveWithin({ id: 'app', dailyCredits: 5 }, 'ben', today, 5, 10);
      const keys = [
        `budget:ben:${today}`,
        `budget:connection:app:${today}`,
        `budget:ben:${today}:connections`,
      ];
      await expect(redis.keys('*')).resolves.toEqual(expect.arrayContaining(keys));
      for (const key of keys) expect(await redis.expiretime(key)).toBe(dayAfterItsEnd);
    });

    it('go with their user, those of clocks that differ too, and no others', async () => {
      const store = new RedisBudgetStore(redis);
      const dayMs = 86_400_000;
      for (const days of [-1, 0, 1]) {
        await store.reserve('cy', budgetDay(new Date(Date.now() + days * dayMs)), 1, 10);
      }
      await store.reserveWithin({ id: 'app of cy', dailyCredits: null }, 'cy', today, 1, 10);
      await store.reserve('dee', today, 1, 10);
      await store.reserveWithin({ id: 'app of dee', dailyCredits: null }, 'dee', today, 1, 10);
      expect(await redis.keys('budget:*cy*')).toHaveLength(5);
      await store.forget('cy');
      await expect(redis.keys('budget:*cy*')).resolves.toEqual([]);
      const used = await store.usedBy(['app of cy', 'app of dee'], today);
      expect(used).toEqual(new Map([['app of dee', 1]]));
      await expect(store.read('dee', today)).resolves.toMatchObject({ used: 2 });
    });

    it('survive that Redis forgets its scripts', async () => {
      const store = new RedisBudgetStore(redis);
      await redis.script('FLUSH');
      await expect(store.reserve('bob', today, 5, 10)).resolves.toBe(today);
      await redis.script('FLUSH');
      await store.giveBack('bob', today, 1);
      await redis.script('FLUSH');
      await store.reserveWithin({ id: 'app of bob', dailyCredits: 3 }, 'bob', today, 3, 10);
      await redis.script('FLUSH');
      await store.giveBackWithin('app of bob', 'bob', today, 3);
      await expect(store.read('bob', today)).resolves.toEqual({ day: today, used: 4 });
    });
  });
});
