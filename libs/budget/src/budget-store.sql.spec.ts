import type { DataSource } from 'typeorm';
import { SweeperService } from '#libs/platform';
import { describeOnDatabases } from '#libs/platform/testing';
import {
  describeBudgetsOfConnections,
  describeBudgetStore,
  type OpenBudgetStores,
} from './budget-store.contract.js';
import {
  BudgetEntity,
  ConnectionBudgetEntity,
  SqlBudgetStore,
  sweepPastDays,
  sweepPastDaysOfConnections,
} from './budget-store.sql.js';
import { budgetDay, DAY_MS } from './budget.js';
import { budgetMigrations } from './migrations/budget-migrations.js';
import { OwnLimitEntity } from './own-limits.store.js';

const schema = {
  entities: [BudgetEntity, ConnectionBudgetEntity, OwnLimitEntity],
  migrations: budgetMigrations,
};
const daysAgo = (days: number) => budgetDay(new Date(Date.now() - days * DAY_MS));

describeOnDatabases('SqlBudgetStore', schema, (replicas) => {
  let dataSource: DataSource;
  let store: SqlBudgetStore;

  beforeAll(() => {
    [dataSource] = replicas();
    store = new SqlBudgetStore(dataSource);
  });

  const open = async (): Promise<OpenBudgetStores> => {
    const [one, two] = replicas();
    return { stores: [new SqlBudgetStore(one), new SqlBudgetStore(two)], close: async () => {} };
  };
  describeBudgetStore(open);
  describe('charges of a connection', () => void describeBudgetsOfConnections(open));

  describe('its table', () => {
    it('has one row per user, of the latest day', async () => {
      await store.reserve('ada', '2025-01-31', 4, 10);
      await store.reserve('ada', '2025-02-01', 5, 10);
      const rows = await dataSource.manager.findBy(BudgetEntity, { userId: 'ada' });
      expect(rows).toEqual([{ userId: 'ada', day: '2025-02-01', used: 5 }]);
    });

    it('has one row per connection, of the latest day too, and its user', async () => {
      const charge = (day: string, dailyCredits: number | null) =>
        store.reserveWithin({ id: 'app of ben', dailyCredits }, 'ben', day, 4, 10);
      await charge('2025-01-31', 4);
      await charge('2025-02-01', null);
      await charge('2025-02-02', 4);
      const rows = await dataSource.manager.findBy(ConnectionBudgetEntity, { userId: 'ben' });
      expect(rows).toEqual([
        { connectionId: 'app of ben', userId: 'ben', day: '2025-02-02', used: 4 },
      ]);
    });

    it('forgets a deleted user alone, in the transaction that deletes it', async () => {
      for (const [user, amount] of [['cy', 4] as const, ['dee', 5] as const]) {
        const connection = { id: `app of ${user}`, dailyCredits: null };
        await store.reserveWithin(connection, user, '2025-02-01', amount, 10);
      }
      const usedByApps = () => store.usedBy(['app of cy', 'app of dee'], '2025-02-01');
      const undone = dataSource.transaction(async (manager) => {
        await store.forget('cy', manager);
        throw new Error('undone');
      });
      await expect(undone).rejects.toThrow('undone');
      await expect(store.read('cy', '2025-02-01')).resolves.toMatchObject({ used: 4 });
      expect((await usedByApps()).get('app of cy')).toBe(4);
      await store.forget('cy', dataSource.manager);
      expect(await dataSource.manager.countBy(BudgetEntity, { userId: 'cy' })).toBe(0);
      expect(await dataSource.manager.countBy(BudgetEntity, { userId: 'dee' })).toBe(1);
      expect(await usedByApps()).toEqual(new Map([['app of dee', 5]]));
    });

    it('goes and comes back with its migrations', async () => {
      for (const _migration of budgetMigrations) await dataSource.undoLastMigration();
      await expect(store.read('ada', '2025-02-01')).rejects.toThrow('budgets');
      await dataSource.runMigrations();
      const nothing = { day: '2025-02-01', used: 0, ownLimit: null };
      await expect(store.read('ada', '2025-02-01')).resolves.toEqual(nothing);
    });
  });

  describe('the sweeper of past days', () => {
    const sweep = () =>
      new SweeperService(dataSource).add(sweepPastDays, sweepPastDaysOfConnections).sweep();

    beforeEach(() => dataSource.manager.deleteAll(BudgetEntity));

    it('removes what was used more than 30 days ago, however much, and nothing later', async () => {
      const row = (userId: string, days: number) => ({ userId, day: daysAgo(days), used: 1 });
      const old = Array.from({ length: 250 }, (_, n) => row(`gone ${n}`, 31 + n));
      const kept = [row('ann', 0), row('bob', 1), row('cy', 29), row('di', -1)];
      await dataSource.manager.insert(BudgetEntity, [...old, ...kept]);
      await sweep();
      const left = await dataSource.manager.find(BudgetEntity);
      expect(left.map(({ userId }) => userId).toSorted()).toEqual(['ann', 'bob', 'cy', 'di']);
    });

    it('removes what connections used then', async () => {
      await dataSource.manager.deleteAll(ConnectionBudgetEntity);
      const row = (connectionId: string, days: number) => ({
        connectionId,
        userId: 'ann',
        day: daysAgo(days),
        used: 1,
      });
      const old = Array.from({ length: 150 }, (_, n) => row(`gone ${n}`, 31));
      await dataSource.manager.insert(ConnectionBudgetEntity, [...old, row('kept', 30)]);
      await sweep();
      const left = await dataSource.manager.find(ConnectionBudgetEntity);
      expect(left.map(({ connectionId }) => connectionId)).toEqual(['kept']);
    });

    it('leaves a row that is charged while it is swept', async () => {
      await store.reserve('eve', daysAgo(40), 5, 10);
      const { manager } = dataSource;
      const remove = manager.delete.bind(manager);
      manager.delete = async (...args) => {
        await store.reserve('eve', daysAgo(0), 7, 10);
        return remove(...args);
      };
      await sweep();
      expect(await store.read('eve', daysAgo(0))).toMatchObject({ used: 7 });
      manager.delete = remove;
    });
  });
});
