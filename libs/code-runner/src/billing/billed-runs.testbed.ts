import { BudgetStore, type DayBalance } from '#libs/budget';
import { budgetServiceOn } from '#libs/budget/testing';
import { RunQueueService } from '../limits/run-queue.service.js';
import type { UserRunLimit } from '../limits/user-run-limit.js';
import type { CodeRunner } from '../runner/code-runner.js';
import type { ContentScreener } from '../screening/content-screener.js';
import { ScreeningService } from '../screening/screening.service.js';
import { WordListScreener } from '../screening/word-list-screener.js';
import { BilledRunsService } from './billed-runs.service.js';

export const LIMIT = 1_000;

/** One user's credits. */
export class CountingStore extends BudgetStore {
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

interface Parts {
  readonly store: BudgetStore;
  readonly runner: CodeRunner;
  readonly limit: UserRunLimit;
  readonly screener?: ContentScreener;
}

/** Bills the runs of a runner, with a daily limit of {@link LIMIT}. */
export function billedRunsWith({ store, runner, limit, screener = new WordListScreener() }: Parts) {
  const budgets = budgetServiceOn(store, LIMIT);
  return new BilledRunsService(
    new RunQueueService(limit),
    budgets,
    new ScreeningService(budgets, screener),
    runner,
  );
}
