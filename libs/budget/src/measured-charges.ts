import { AsyncLocalStorage } from 'node:async_hooks';

/** The result of some work, and the credits that were charged for it. */
interface Charged<T> {
  readonly result: T;
  readonly credits: number;
}

const sums = new AsyncLocalStorage<{ credits: number }>();

/**
 * Runs `work` and sums the credits that BudgetService charged for it, including for all that it started, until it
 * resolved. Rejects as `work` does.
 */
export async function measureCharges<T>(work: () => Promise<T>): Promise<Charged<T>> {
  const sum = { credits: 0 };
  const result = await sums.run(sum, work);
  return { result, credits: sum.credits };
}

/** Adds a charge to the sum of the work that made it; negative for credits given back. */
export function noteCharge(credits: number) {
  const sum = sums.getStore();
  if (sum) sum.credits += credits;
}
