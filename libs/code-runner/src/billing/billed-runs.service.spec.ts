import { Logger } from '@nestjs/common';
import { BudgetService, BudgetStore, type DayBalance } from '#libs/budget';
import { nobodysOwnLimits } from '#libs/budget/testing';
import { REFUSED_TEXT } from '../screening/content-screener.contract.js';
import { ScreeningService } from '../screening/screening.service.js';
import { WordListScreener } from '../screening/word-list.adapter.js';
import { CodeBusyError, CodeThrewError } from '../runner/code-failure.js';
import { CodeRunner } from '../runner/code-runner.js';
import { MAX_RUNS_PER_USER } from '../limits/user-run-limit.js';
import { InProcessUserRunLimit } from '../limits/user-run-limit.in-process.js';
import { RunQueueService } from '../limits/run-queue.service.js';
import { BilledRunsService } from './billed-runs.service.js';
import { RunChargesService } from './run-charges.service.js';

class CountingStore extends BudgetStore {
  used = 0;
  isDown = false;

  override async forget() {}

  override async read(_userId: string, day: string): Promise<DayBalance> {
    return { day, used: this.used };
  }

  override async reserve(_userId: string, day: string, amount: number, limit: number) {
    if (this.isDown) throw new Error('down');
    if (this.used + amount > limit) return undefined;
    this.used += amount;
    return day;
  }

  override async giveBack(_userId: string, _day: string, amount: number) {
    this.used -= amount;
  }

  override async reset() {
    this.used = 0;
  }
}

class FailingRunner extends CodeRunner {
  failure = new Error();

  override run() {
    return Promise.reject(this.failure);
  }
}

const LIMIT = 1_000;
const RUN = { userId: 'ann', app: 'Robot', code: 'return 1', input: null, timeoutMs: 1_000 };

describe('a billed run', () => {
  const store = new CountingStore();
  const runner = new FailingRunner();
  const limit = new InProcessUserRunLimit();
  const budgets = new BudgetService({ dailyLimit: LIMIT }, store, nobodysOwnLimits());
  const billedRuns = new BilledRunsService(
    new RunQueueService(limit),
    new RunChargesService(budgets),
    new ScreeningService(budgets, new WordListScreener()),
    runner,
  );

  beforeAll(() => Logger.overrideLogger(false));
  beforeEach(() => {
    store.used = 0;
    runner.failure = new Error('no connection');
  });
  // However it ended, the next one of the user may begin.
  afterEach(async () => {
    for (let going = 0; going < MAX_RUNS_PER_USER; going += 1) {
      expect(await limit.acquire(RUN.userId, `run ${going}`, 60_000)).toBe(true);
    }
    for (let going = 0; going < MAX_RUNS_PER_USER; going += 1) {
      await limit.release(RUN.userId, `run ${going}`);
    }
  });

  it.each([
    [new CodeThrewError('it threw 1', 35), { name: 'FailedRunError', creditsUsed: 5 }, 5],
    [new CodeBusyError('busy'), { name: 'UnstartedRunError', message: 'busy', creditsUsed: 1 }, 1],
    [new Error('no connection'), { message: 'no connection' }, 1],
  ])('that ends with %s says what it cost, and costs that', async (failure, said, cost) => {
    runner.failure = failure;
    await expect(billedRuns.run(RUN)).rejects.toMatchObject(said);
    expect(store.used).toBe(cost);
  });

  it('that is refused by the screening costs the screening alone', async () => {
    const refused = billedRuns.run({ ...RUN, code: REFUSED_TEXT });
    await expect(refused).rejects.toMatchObject({ name: 'ScreeningError' });
    expect(store.used).toBe(1);
  });

  it('that the budget does not cover costs nothing', async () => {
    store.used = LIMIT - 100;
    await expect(billedRuns.run(RUN)).rejects.toMatchObject({
      name: 'BudgetExhaustedError',
      amount: 125,
      left: 100,
    });
    expect(store.used).toBe(LIMIT - 100);
  });

  it('whose budget cannot be charged does not begin', async () => {
    store.isDown = true;
    await expect(billedRuns.run(RUN)).rejects.toMatchObject({ name: 'RunsUnavailableError' });
    store.isDown = false;
  });
});
