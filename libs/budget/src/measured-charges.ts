import { AsyncLocalStorage } from 'node:async_hooks';

/** What some work brought, and how many credits were charged for it. */
interface Charged<T> {
  readonly result: T;
  readonly credits: number;
}

const sums = new AsyncLocalStorage<{ credits: number }>();

/**
 * Does the work, and tells what BudgetService charged for all that it started, by the time it was done.
 * Rejects as the work does.
 */
export async function measureCharges<T>(work: () => Promise<T>): Promise<Charged<T>> {
  const sum = { credits: 0 };
  const result = await sums.run(sum, work);
  return { result, credits: sum.credits };
}

/** Counts a charge for the work that made it, or with a negative sign what it got back. */
export function noteCharge(credits: number) {
  const sum = sums.getStore();
  if (sum) sum.credits += credits;
}
