import { type BudgetLimits, SetBudgetLimits } from './budget-limits.js';
import { BudgetService, NoBudgetMeter } from './budget.service.js';
import type { BudgetStore } from './budget-store.js';
import { DailyLimitsService } from './daily-limits.service.js';
import type { OwnLimits } from './own-limits.store.js';

/** For services without a database: no account has a limit of its own. */
export const noOwnLimits = () => ({ find: async () => undefined }) as unknown as OwnLimits;

/** Charges the store; the limit is the same for all accounts unless `limits` returns another. */
export function budgetServiceOn(
  store: BudgetStore,
  dailyLimit: number,
  limits: BudgetLimits = new SetBudgetLimits(),
): BudgetService {
  const own = noOwnLimits();
  const daily = new DailyLimitsService({ dailyLimit }, own, limits);
  return new BudgetService(store, daily, own, new NoBudgetMeter());
}
