import { Logger } from '@nestjs/common';
import { BudgetService, BudgetStore, type DayBalance } from '#libs/budget';
import { ScreeningService } from '../screening/screening.service.js';
import { WordListScreener } from '../screening/word-list.adapter.js';
import { CodeBusyError, CodeThrewError } from '../runner/code-failure.js';
import { CodeRunner } from '../runner/code-runner.js';
import { InProcessUserRunLimit } from '../limits/user-run-limit.in-process.js';
import { RunQueueService } from '../limits/run-queue.service.js';
import { BilledRunsService } from './billed-runs.service.js';
import { RunChargesService } from './run-charges.service.js';

class CountingStore extends BudgetStore {
  used = 0;

  override async read(_userId: string, day: string): Promise<DayBalance> {
    return { day, used: this.used };
  }

  override async reserve(_userId: string, day: string, amount: number) {
    this.used += amount;
    return day;
  }

  override async giveBack(_userId: string, _day: string, amount: number) {
    this.used -= amount;
  }
}

class FailingRunner extends CodeRunner {
  failure = new Error();

  override run() {
    return Promise.reject(this.failure);
  }
}

describe('a billed run', () => {
  const store = new CountingStore();
  const runner = new FailingRunner();
  const budgets = new BudgetService({ dailyLimit: 1_000 }, store);
  const billedRuns = new BilledRunsService(
    new RunQueueService(new InProcessUserRunLimit()),
    new RunChargesService(budgets),
    new ScreeningService(budgets, new WordListScreener()),
    runner,
  );

  beforeAll(() => Logger.overrideLogger(false));
  beforeEach(() => {
    store.used = 0;
  });

  it.each([
    [new CodeThrewError('it threw 1', 35), { name: 'FailedRunError', creditsUsed: 5 }, 5],
    [new CodeBusyError('busy'), { name: 'UnstartedRunError', message: 'busy', creditsUsed: 1 }, 1],
    [new Error('no connection'), { message: 'no connection' }, 1],
  ])('that ends with %s says what it cost, and costs that', async (failure, said, cost) => {
    runner.failure = failure;
    const run = { userId: 'ann', app: 'Robot', code: 'return 1', input: null, timeoutMs: 1_000 };
    await expect(billedRuns.run(run)).rejects.toMatchObject(said);
    expect(store.used).toBe(cost);
  });
});
