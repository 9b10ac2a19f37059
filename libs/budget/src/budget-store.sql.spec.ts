import { DataSource } from 'typeorm';
import { SweeperService } from '#libs/platform';
import { describeWithPostgres, postgresForTests, sqliteForTests } from '#libs/platform/testing';
import { describeBudgetStore } from './budget-store.contract.js';
import { BudgetEntity, SqlBudgetStore, sweepPastDays } from './budget-store.sql.js';
import { budgetDay } from './budget.js';
import { budgetMigrations } from './migrations/budget-migrations.js';
import { OwnLimitEntity } from './own-limits.store.js';

const schema = { entities: [BudgetEntity, OwnLimitEntity], migrations: budgetMigrations };

interface OpenDatabase {
  connect(): Promise<DataSource>;
  dispose(): Promise<void>;
}

describe('SqlBudgetStore on SQLite', () => {
  itWorksOn(async () => {
    const { path, dispose } = await sqliteForTests();
    const options = {
      type: 'sqlite',
      database: path,
      enableWAL: true,
      busyTimeout: 10_000,
    } as const;
    return { connect: () => new DataSource({ ...options, ...schema }).initialize(), dispose };
  });
});

describeWithPostgres('SqlBudgetStore on Postgres', () => {
  itWorksOn(async () => {
    const { url, dispose } = await postgresForTests();
    return {
      connect: () => new DataSource({ type: 'postgres', url, ...schema }).initialize(),
      dispose,
    };
  });
});

function itWorksOn(open: () => Promise<OpenDatabase>) {
  describeBudgetStore(async () => {
    const database = await open();
    const [one, two] = [await database.connect(), await database.connect()];
    await one.runMigrations();
    return {
      stores: [new SqlBudgetStore(one), new SqlBudgetStore(two)],
      close: async () => {
        await Promise.all([one.destroy(), two.destroy()]);
        await database.dispose();
      },
    };
  });

  describe('its table', () => {
    let database: OpenDatabase;
    let dataSource: DataSource;
    let store: SqlBudgetStore;

    beforeAll(async () => {
      database = await open();
      dataSource = await database.connect();
      await dataSource.runMigrations();
      store = new SqlBudgetStore(dataSource);
    });
    afterAll(async () => {
      await dataSource.destroy();
      await database.dispose();
    });

    it('is what the entity says', async () => {
      const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
      expect(upQueries).toEqual([]);
    });

    it('has one row per user, of the latest day', async () => {
      await store.reserve('ada', '2025-01-31', 4, 10);
      await store.reserve('ada', '2025-02-01', 5, 10);
      const rows = await dataSource.manager.findBy(BudgetEntity, { userId: 'ada' });
      expect(rows).toEqual([{ userId: 'ada', day: '2025-02-01', used: 5 }]);
    });

    it('never goes back a day: who is late charges the newer one', async () => {
      await store.reserve('bob', '2025-02-01', 4, 10);
      await expect(store.reserve('bob', '2025-01-31', 5, 10)).resolves.toBe('2025-02-01');
      await expect(store.reserve('bob', '2025-01-31', 2, 10)).resolves.toBeUndefined();
      await expect(store.read('bob', '2025-01-31')).resolves.toEqual({
        day: '2025-02-01',
        used: 9,
        ownLimit: null,
      });
    });

    it('forgets a deleted user alone, in the transaction that deletes it', async () => {
      await store.reserve('cy', '2025-02-01', 4, 10);
      await store.reserve('dee', '2025-02-01', 5, 10);
      const undone = dataSource.transaction(async (manager) => {
        await store.forget('cy', manager);
        throw new Error('undone');
      });
      await expect(undone).rejects.toThrow('undone');
      await expect(store.read('cy', '2025-02-01')).resolves.toMatchObject({ used: 4 });
      await store.forget('cy', dataSource.manager);
      expect(await dataSource.manager.countBy(BudgetEntity, { userId: 'cy' })).toBe(0);
      expect(await dataSource.manager.countBy(BudgetEntity, { userId: 'dee' })).toBe(1);
    });

    it('can be taken back', async () => {
      for (const _migration of budgetMigrations) await dataSource.undoLastMigration();
      await expect(store.read('ada', '2025-02-01')).rejects.toThrow('budgets');
      await dataSource.runMigrations();
      await expect(store.read('ada', '2025-02-01')).resolves.toEqual({
        day: '2025-02-01',
        used: 0,
        ownLimit: null,
      });
    });
  });
}

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => budgetDay(new Date(Date.now() - days * DAY_MS));

function itSweeps(open: () => Promise<{ dataSource: DataSource; dispose(): Promise<void> }>) {
  let dataSource: DataSource;
  let dispose: () => Promise<void>;
  const sweep = () => new SweeperService(dataSource).add(sweepPastDays).sweep();

  beforeAll(async () => {
    ({ dataSource, dispose } = await open());
    await dataSource.runMigrations();
  });
  afterAll(async () => {
    await dataSource.destroy();
    await dispose();
  });

  it('are removed: what was used long ago, however much, and nothing of these days', async () => {
    const row = (userId: string, days: number) => ({ userId, day: daysAgo(days), used: 1 });
    const old = Array.from({ length: 250 }, (_, n) => row(`gone ${n}`, 31 + n));
    const kept = [row('ann', 0), row('bob', 1), row('cy', 29), row('di', -1)];
    await dataSource.manager.insert(BudgetEntity, [...old, ...kept]);
    await sweep();
    const left = await dataSource.manager.find(BudgetEntity);
    expect(left.map(({ userId }) => userId).toSorted()).toEqual(['ann', 'bob', 'cy', 'di']);
  });

  it('are none when there is nothing', async () => {
    expect(await sweepPastDays(dataSource, 100)).toBe(0);
  });

  it('leave one that is charged while it is swept', async () => {
    const store = new SqlBudgetStore(dataSource);
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
}

describe('past days on SQLite', () => {
  itSweeps(async () => {
    const { path, dispose } = await sqliteForTests();
    const options = { type: 'sqlite', database: path, ...schema } as const;
    return { dataSource: await new DataSource(options).initialize(), dispose };
  });
});

describeWithPostgres('past days on Postgres', () => {
  itSweeps(async () => {
    const { url, dispose } = await postgresForTests();
    const options = { type: 'postgres', url, ...schema } as const;
    return { dataSource: await new DataSource(options).initialize(), dispose };
  });
});
