import { DataSource } from 'typeorm';
import { describeWithPostgres } from '../../../test/support/services/describe-with.js';
import { postgresForTests } from '../../../test/support/services/postgres-for-tests.js';
import { sqliteForTests } from '../../../test/support/services/storage-for-tests.js';
import { SweeperService } from '#libs/platform';
import { budgetDay } from './budget-day.js';
import { SqlBudgetStore } from './budget-store.sql.js';
import { BudgetEntity } from './budget.entity.js';
import { OwnLimitEntity } from './own-limit.entity.js';
import { budgetMigrations } from './migrations/budget-migrations.js';
import { sweepPastDays } from './past-days.sql.js';

const DAY_MS = 86_400_000;
const schema = { entities: [BudgetEntity, OwnLimitEntity], migrations: budgetMigrations };
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
