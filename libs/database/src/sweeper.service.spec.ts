import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SweeperService } from './sweeper.service.js';

const ROUND_MS = 10 * 60 * 1000;

class CountingSweeper extends SweeperService {
  rounds = 0;
  failure: Error | undefined;

  constructor() {
    super(new DataSource({ type: 'sqlite', database: 'never opened' }), []);
  }

  override async sweep() {
    this.rounds += 1;
    if (this.failure) throw this.failure;
  }
}

describe('SweeperService', () => {
  let sweeper: CountingSweeper;

  beforeEach(() => {
    jest.useFakeTimers();
    sweeper = new CountingSweeper();
    sweeper.onModuleInit();
  });
  afterEach(() => {
    sweeper.onModuleDestroy();
    jest.useRealTimers();
  });

  it('sweeps every ten minutes by itself', async () => {
    await jest.advanceTimersByTimeAsync(ROUND_MS - 1);
    expect(sweeper.rounds).toBe(0);
    await jest.advanceTimersByTimeAsync(1);
    expect(sweeper.rounds).toBe(1);
    await jest.advanceTimersByTimeAsync(2 * ROUND_MS);
    expect(sweeper.rounds).toBe(3);
  });

  it('tells of a round that failed and goes on', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    sweeper.failure = new Error('the database is gone');
    await jest.advanceTimersByTimeAsync(2 * ROUND_MS);
    expect(sweeper.rounds).toBe(2);
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('the database is gone'));
    warn.mockRestore();
  });

  it('stops with its module', async () => {
    sweeper.onModuleDestroy();
    await jest.advanceTimersByTimeAsync(2 * ROUND_MS);
    expect(sweeper.rounds).toBe(0);
  });
});

/** Finds so many batches that are full, and removes one at a time. */
class BatchSweeper extends SweeperService {
  private readonly batches: PromiseWithResolvers<number>[] = [];

  constructor() {
    super(new DataSource({ type: 'sqlite', database: 'never opened' }), [
      { entity: Object, key: 'id' },
    ]);
  }

  get asked() {
    return this.batches.length;
  }

  async answer(rows: number) {
    this.batches.at(-1)?.resolve(rows);
    await jest.advanceTimersByTimeAsync(0);
  }

  protected override async sweepBatch() {
    const batch = Promise.withResolvers<number>();
    this.batches.push(batch);
    return batch.promise;
  }
}

describe('a round of a SweeperService', () => {
  let sweeper: BatchSweeper;

  beforeEach(async () => {
    jest.useFakeTimers();
    sweeper = new BatchSweeper();
    sweeper.onModuleInit();
    await jest.advanceTimersByTimeAsync(ROUND_MS);
  });
  afterEach(() => {
    sweeper.onModuleDestroy();
    jest.useRealTimers();
  });

  it('rests between batches, four times as long as one took, and ends with the last', async () => {
    await jest.advanceTimersByTimeAsync(10);
    await sweeper.answer(100);
    await jest.advanceTimersByTimeAsync(39);
    expect(sweeper.asked).toBe(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(sweeper.asked).toBe(2);
    await sweeper.answer(99);
    await jest.advanceTimersByTimeAsync(ROUND_MS / 2);
    expect(sweeper.asked).toBe(2);
  });

  it('is the only one, however long it takes', async () => {
    await jest.advanceTimersByTimeAsync(3 * ROUND_MS);
    expect(sweeper.asked).toBe(1);
    await sweeper.answer(0);
    await jest.advanceTimersByTimeAsync(ROUND_MS);
    expect(sweeper.asked).toBe(2);
  });

  it('ends with its module, whatever is left', async () => {
    sweeper.onModuleDestroy();
    await sweeper.answer(100);
    await jest.advanceTimersByTimeAsync(ROUND_MS);
    expect(sweeper.asked).toBe(1);
  });
});
