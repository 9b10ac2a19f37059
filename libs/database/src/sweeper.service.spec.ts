import { jest } from '@jest/globals';
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
