import type { BudgetStore } from '#libs/budget';
import { budgetServiceOn } from '#libs/budget/testing';
import { RunQueueService } from '../limits/run-queue.service.js';
import type { UserRunLimit } from '../limits/user-run-limit.js';
import type { CodeRunner } from '../runner/code-runner.js';
import type { ContentScreener } from '../screening/content-screener.js';
import { ScreeningService } from '../screening/screening.service.js';
import { WordListScreener } from '../screening/word-list-screener.js';
import { BilledRunsService } from './billed-runs.service.js';

export const LIMIT = 1_000;

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
