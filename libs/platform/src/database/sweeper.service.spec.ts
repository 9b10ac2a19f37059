import { Logger } from '@nestjs/common';
import { DataSource, EntitySchema } from 'typeorm';
import { describeWithPostgres, postgresForTests, type TestPostgres } from '../testing.js';
import { expiredRows, SweeperService } from './sweeper.service.js';

/** Longer than a round rests. */
const ROUND_MS = 10 * 60 * 1000;

const createSweeper = () =>
  new SweeperService(new DataSource({ type: 'sqlite', database: 'never opened' }));

describe('SweeperService', () => {
  let sweeper: SweeperService;
  let rounds: number;
  let failure: Error | undefined;

  beforeEach(() => {
    jest.useFakeTimers();
    [rounds, failure] = [0, undefined];
    sweeper = createSweeper().add(async () => {
      rounds += 1;
      if (failure) throw failure;
      return 0;
    });
  });
  afterEach(() => {
    sweeper.onModuleDestroy();
    jest.useRealTimers();
  });

  it('tells of a sweep that failed, and goes on with the next and with the next round', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    failure = new Error('the database is gone');
    let others = 0;
    sweeper.add(async () => {
      others += 1;
      return 0;
    });
    await sweeper.sweep();
    await sweeper.sweep();
    expect([rounds, others]).toEqual([2, 2]);
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('the database is gone'));
    warn.mockRestore();
  });

  it('stops with its module', async () => {
    sweeper.onModuleDestroy();
    await sweeper.sweep();
    expect(rounds).toBe(0);
  });
});

describe('a round of a SweeperService', () => {
  let sweeper: SweeperService;
  let batches: PromiseWithResolvers<number>[];

  const answer = async (rows: number) => {
    batches.at(-1)?.resolve(rows);
    await jest.advanceTimersByTimeAsync(0);
  };

  beforeEach(async () => {
    jest.useFakeTimers();
    batches = [];
    sweeper = createSweeper().add(async () => {
      const batch = Promise.withResolvers<number>();
      batches.push(batch);
      return batch.promise;
    });
    void sweeper.sweep();
    await jest.advanceTimersByTimeAsync(0);
  });
  afterEach(() => {
    sweeper.onModuleDestroy();
    jest.useRealTimers();
  });

  it('rests between batches, four times as long as one took, and ends with the last', async () => {
    await jest.advanceTimersByTimeAsync(10);
    await answer(100);
    await jest.advanceTimersByTimeAsync(39);
    expect(batches).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(batches).toHaveLength(2);
    await answer(99);
    await jest.advanceTimersByTimeAsync(ROUND_MS / 2);
    expect(batches).toHaveLength(2);
  });

  it('is the only one, however long it takes', async () => {
    await sweeper.sweep();
    expect(batches).toHaveLength(1);
    await answer(0);
    void sweeper.sweep();
    expect(batches).toHaveLength(2);
  });

  it('ends with its module, whatever is left', async () => {
    sweeper.onModuleDestroy();
    await answer(100);
    await jest.advanceTimersByTimeAsync(ROUND_MS);
    expect(batches).toHaveLength(1);
  });
});

class Lapse {
  id!: string;
  expiresAt!: number;
}
const LapseEntity = new EntitySchema<Lapse>({
  name: 'lapse',
  target: Lapse,
  columns: { id: { type: 'varchar', primary: true }, expiresAt: { type: 'bigint' } },
});

describeWithPostgres('a sweep of expired rows on Postgres', () => {
  let database: TestPostgres;
  let dataSource: DataSource;

  beforeEach(async () => {
    database = await postgresForTests();
    const options = { type: 'postgres', url: database.url, synchronize: true } as const;
    dataSource = await new DataSource({ ...options, entities: [LapseEntity] }).initialize();
  });
  afterEach(async () => {
    await dataSource.destroy();
    await database.dispose();
  });

  it('waits for no row that a request holds, and deletes it in the next round', async () => {
    const ids = ['a', 'b', 'c'];
    await dataSource.manager.insert(
      Lapse,
      ids.map((id) => ({ id, expiresAt: 1 })),
    );
    const sweep = expiredRows(Lapse, 'id');
    await dataSource.transaction(async (manager) => {
      await manager.update(Lapse, { id: 'b' }, { expiresAt: 2 });
      expect(await sweep(dataSource, 100)).toBe(2);
    });
    expect(await dataSource.manager.findBy(Lapse, {})).toMatchObject([{ id: 'b' }]);
    expect(await sweep(dataSource, 100)).toBe(1);
  });
});
