import { Logger } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { createDataSource } from '#libs/platform';
import { fakeDate, sqliteForTests } from '#libs/platform/testing';
import { BudgetEntity, ConnectionBudgetEntity } from './budget-store.sql.js';
import { BudgetExhaustedError } from './budget.js';
import { budgetMigrations } from './migrations/budget-migrations.js';
import { BudgetModule } from './budget.module.js';
import { BudgetService, measureCharges } from './budget.service.js';
import { BudgetStore } from './budget-store.js';
import { OwnLimitEntity, OwnLimits } from './own-limits.store.js';
import { budgetServiceOn, CountingStore, noOwnLimits } from './budget-service.testbed.js';

const TONIGHT = '2025-01-01T00:00:00.000Z';

/** Refuses every charge, as if others came first. */
class RefusingStore extends CountingStore {
  override reserve = async () => undefined;
}

describe('BudgetService', () => {
  let sqlite: Awaited<ReturnType<typeof sqliteForTests>>;
  let module: TestingModule;
  let budgets: BudgetService;

  beforeEach(async () => {
    fakeDate(Date.parse('2024-12-31T18:00:00Z'));
    sqlite = await sqliteForTests();
    const database = TypeOrmModule.forRootAsync({
      useFactory: () => ({ type: 'sqlite' }),
      dataSourceFactory: async () => {
        const entities = [BudgetEntity, ConnectionBudgetEntity, OwnLimitEntity];
        const schema = { entities, migrations: budgetMigrations };
        const opened = createDataSource({ type: 'sqlite', path: sqlite.path }, schema);
        await opened.initialize();
        await opened.runMigrations();
        return opened;
      },
    });
    module = await Test.createTestingModule({
      imports: [database, BudgetModule.forRoot({ dailyLimit: 10 })],
    }).compile();
    budgets = module.get(BudgetService);
  });
  afterEach(async () => {
    jest.useRealTimers();
    await module.close();
    await sqlite.dispose();
  });

  it('settles a reservation once', async () => {
    const [first, second] = [await budgets.reserve('ada', 4), await budgets.reserve('ada', 4)];
    await Promise.all([budgets.settle(first, 1), budgets.settle(first, 1)]);
    await budgets.settle(first, 0);
    await expect(budgets.read('ada')).resolves.toMatchObject({ used: 5 });
    await budgets.settle(second, 0);
    await expect(budgets.read('ada')).resolves.toMatchObject({ used: 1 });
  });

  it('refuses what would pass the limit and says when the budget resets', async () => {
    await budgets.reserve('ada', 9);
    const refused = budgets.reserve('ada', 2);
    await expect(refused).rejects.toBeInstanceOf(BudgetExhaustedError);
    await expect(refused).rejects.toMatchObject({
      amount: 2,
      resetsAt: TONIGHT,
      left: 1,
      isCoveredByNow: false,
      message: expect.stringContaining(`resets at ${TONIGHT}`),
    });
    await expect(budgets.read('ada')).resolves.toMatchObject({ used: 9 });
  });

  it.each([0, -1, 1.5, Number.NaN, Infinity, Number.MAX_SAFE_INTEGER + 1])(
    'does not take a charge of %p',
    async (amount) => {
      await expect(budgets.reserve('ada', amount)).rejects.toBeInstanceOf(RangeError);
      await expect(budgets.read('ada')).resolves.toMatchObject({ used: 0 });
    },
  );

  it('begins again at 00:00 UTC', async () => {
    await budgets.reserve('ada', 10);
    jest.setSystemTime(new Date('2024-12-31T23:59:59.999Z'));
    await expect(budgets.reserve('ada', 1)).rejects.toBeInstanceOf(BudgetExhaustedError);
    jest.setSystemTime(new Date(TONIGHT));
    const resets = '2025-01-02T00:00:00.000Z';
    await expect(budgets.read('ada')).resolves.toEqual({ used: 0, limit: 10, resetsAt: resets });
    await expect(budgets.reserve('ada', 10)).resolves.toMatchObject({ day: '2025-01-01' });
  });

  it('goes by a limit of the user’s own, from the next charge on, until it is taken away', async () => {
    const own = module.get(OwnLimits);
    await own.set('ada', 3);
    await own.set('ada', 2);
    await expect(budgets.read('ada')).resolves.toMatchObject({ limit: 2 });
    await expect(budgets.reserve('ada', 3)).rejects.toThrow(BudgetExhaustedError);
    await budgets.reserve('ada', 2);
    await expect(budgets.read('bob')).resolves.toMatchObject({ limit: 10 });
    await own.remove('ada');
    await expect(budgets.read('ada')).resolves.toMatchObject({ used: 2, limit: 10 });
  });

  it('forgets the limit of a user who is deleted', async () => {
    await module.get(OwnLimits).set('ada', 3);
    await budgets.forget('ada', module.get(DataSource));
    await expect(budgets.read('ada')).resolves.toMatchObject({ used: 0, limit: 10 });
  });

  it('knows no balance, and refuses all the same, while the store cannot be read', async () => {
    Logger.overrideLogger(false);
    const store = new RefusingStore();
    store.isDown = true;
    const service = budgetServiceOn(store, 10);
    await expect(service.find('ada')).resolves.toBeUndefined();
    await expect(service.read('ada')).rejects.toThrow('down');
    await expect(service.reserve('ada', 1)).rejects.toMatchObject({
      name: 'BudgetExhaustedError',
      left: undefined,
      isCoveredByNow: false,
    });
  });

  it('says with a refusal when the charge would do by now, and never that less than nothing is left', async () => {
    const store = new RefusingStore();
    const service = budgetServiceOn(store, 10);
    const refused = (left: number, isCoveredByNow: boolean) =>
      expect(service.reserve('ada', 4)).rejects.toMatchObject({ left, isCoveredByNow });
    store.used = 6;
    await refused(4, true);
    store.used = 7;
    await refused(3, false);
    store.used = 12;
    await refused(0, false);
  });

  it('counts in the store that an application provides', async () => {
    class NothingLeft extends RefusingStore {
      override used = 10;
    }
    const own = await Test.createTestingModule({
      imports: [
        TypeOrmModule.forRoot({
          type: 'sqlite',
          database: ':memory:',
          entities: [BudgetEntity, ConnectionBudgetEntity, OwnLimitEntity],
        }),
        BudgetModule.forRoot({
          dailyLimit: 10,
          providers: [
            { provide: BudgetStore, useClass: NothingLeft },
            { provide: OwnLimits, useFactory: noOwnLimits },
          ],
        }),
      ],
    }).compile();
    const service = own.get(BudgetService);
    await expect(service.reserve('ada', 1)).rejects.toBeInstanceOf(BudgetExhaustedError);
    await expect(service.read('ada')).resolves.toMatchObject({ used: 10, limit: 10 });
    await own.close();
  });

  describe('tells what work was charged', () => {
    const work = async (reserved: number, used: number) => {
      const reservation = await budgets.reserve('ada', reserved);
      await budgets.settle(reservation, used);
      await budgets.settle(reservation, 0);
      return used;
    };

    it('of works side by side each its own', async () => {
      const measured = await Promise.all([
        measureCharges(() => work(4, 1)),
        measureCharges(() => work(3, 3)),
        measureCharges(async () => 0),
      ]);
      expect(measured.map(({ credits }) => credits)).toEqual([1, 3, 0]);
    });

    it('and nothing for what was not covered', async () => {
      const uncovered = () => work(11, 11).catch(() => 'uncovered');
      expect(await measureCharges(uncovered)).toEqual({ result: 'uncovered', credits: 0 });
    });

    it('and all where nothing could be given back', async () => {
      jest.spyOn(module.get(BudgetStore), 'giveBack').mockRejectedValueOnce(new Error('down'));
      const { credits } = await measureCharges(() => work(5, 2).catch(() => 0));
      expect(credits).toBe(5);
    });
  });

  describe('charges the connection of the work too', () => {
    const APP = { id: 'app', dailyCredits: 4 };
    const charge = (amount: number, connection = APP) =>
      measureCharges(() => budgets.reserve('ada', amount), connection);
    const refused = (amount: number) => charge(amount).catch((error: unknown) => error);
    const usedBy = async (id = APP.id) => (await budgets.usedToday([id])).get(id) ?? 0;

    it('and gives back to both, outside of the work too', async () => {
      const { result: reservation, credits } = await charge(4);
      expect([credits, await usedBy()]).toEqual([4, 4]);
      await budgets.settle(reservation, 1);
      await budgets.settle(reservation, 0);
      expect([await usedBy(), (await budgets.read('ada')).used]).toEqual([1, 1]);
      await budgets.reserve('ada', 2);
      expect([await usedBy(), (await budgets.read('ada')).used]).toEqual([1, 3]);
    });

    it('of works side by side each its own, whatever they wait for', async () => {
      const work = async () => {
        await new Promise((resolve) => setImmediate(resolve));
        await Promise.all([budgets.reserve('ada', 1), budgets.reserve('ada', 1)]);
      };
      await Promise.all([
        measureCharges(work, { id: 'one', dailyCredits: null }),
        measureCharges(work, { id: 'two', dailyCredits: 2 }),
        measureCharges(work),
      ]);
      const used = await budgets.usedToday(['one', 'two']);
      expect(Object.fromEntries(used)).toEqual({ one: 2, two: 2 });
      expect((await budgets.read('ada')).used).toBe(6);
    });

    it('and says whose limit refused, and what both of them leave', async () => {
      await charge(3);
      expect(await refused(2)).toMatchObject({
        name: 'BudgetExhaustedError',
        limitedBy: 'connection',
        amount: 2,
        left: 1,
        resetsAt: TONIGHT,
        message: `today's limit of this app does not cover 2 more credits; it resets at ${TONIGHT}`,
      });
      await budgets.reserve('ada', 7);
      expect(await refused(1)).toMatchObject({ limitedBy: 'account', left: 0 });
      const ofAccount = budgets.reserve('ada', 1);
      await expect(ofAccount).rejects.toMatchObject({ limitedBy: 'account', left: 0 });
      expect(await usedBy()).toBe(3);
    });

    it('by the limit as it is at the charge, and from 00:00 UTC with all of it', async () => {
      await charge(4);
      expect(await refused(1)).toMatchObject({ limitedBy: 'connection', left: 0 });
      await charge(1, { ...APP, dailyCredits: 5 });
      expect(await refused(1)).toMatchObject({ limitedBy: 'connection', left: 0 });
      jest.setSystemTime(new Date(TONIGHT));
      expect(await usedBy()).toBe(0);
      await charge(4);
      expect(await usedBy()).toBe(4);
    });

    it('and knows not what is left while that cannot be read', async () => {
      await charge(4);
      jest.spyOn(module.get(BudgetStore), 'usedBy').mockRejectedValueOnce(new Error('down'));
      expect(await refused(1)).toMatchObject({ limitedBy: 'connection', left: undefined });
    });

    it('in a store that knows of no connections not, which still holds the limit of the account', async () => {
      budgets = budgetServiceOn(new CountingStore(), 10);
      const { result: reservation } = await charge(9);
      expect(await refused(2)).toMatchObject({ limitedBy: 'account' });
      await budgets.settle(reservation, 5);
      expect((await budgets.read('ada')).used).toBe(5);
      expect(await usedBy()).toBe(0);
    });
  });
});
