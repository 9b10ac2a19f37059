import { type BudgetLimits, SetBudgetLimits } from './budget-limits.js';
import { BudgetMeter, BudgetService } from './budget.service.js';
import { BudgetStore, type DayBalance } from './budget-store.js';
import type { OwnLimits } from './own-limits.store.js';

/** Counts the credits of one user in memory. */
export class CountingStore extends BudgetStore {
  used = 0;
  isDown = false;

  override async read(_userId: string, day: string): Promise<DayBalance> {
    if (this.isDown) throw new Error('down');
    return { day, used: this.used };
  }

  override async reserve(_userId: string, day: string, amount: number, limit: number) {
    if (this.isDown) throw new Error('down');
    if (this.used + amount > limit) return undefined;
    this.used += amount;
    return day;
  }

  override async forget() {}

  override async giveBack(_userId: string, _day: string, amount: number) {
    this.used -= amount;
  }

  override async reset() {
    this.used = 0;
  }
}

/** For services without a database: no account has a limit of its own. */
export const noOwnLimits = () => ({ find: async () => undefined }) as unknown as OwnLimits;

/** Charges the store; the limit is the same for all accounts unless `limits` returns another. */
export function budgetServiceOn(
  store: BudgetStore,
  dailyLimit: number,
  limits: BudgetLimits = new SetBudgetLimits(),
  own: OwnLimits = noOwnLimits(),
): BudgetService {
  return new BudgetService({ dailyLimit }, store, limits, own, new BudgetMeter());
}
