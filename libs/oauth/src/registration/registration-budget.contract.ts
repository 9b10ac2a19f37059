import { randomUUID } from 'node:crypto';
import type { RegistrationAllowance, RegistrationBudget } from './registration-budget.js';

const DAY = 24 * 60 * 60 * 1000;

/** The contract of every RegistrationBudget; `replicas` creates instances that share one state. */
export function describeRegistrationBudget(
  replicas: (allowance: RegistrationAllowance) => readonly RegistrationBudget[],
) {
  const budget = (bytes: number, periodMs = DAY) => {
    const stores = replicas({ bytes, periodMs });
    return (visitor: string, spent: number, n = 0) =>
      (stores[n % stores.length] as RegistrationBudget).spend(visitor, spent);
  };

  it('lets each visitor spend the whole of it, and no byte more', async () => {
    const [ann, eve] = [randomUUID(), randomUUID()];
    const spend = budget(100);
    expect(await spend(ann, 60)).toBe(0);
    expect(await spend(ann, 41, 1)).toBeGreaterThan(0);
    expect(await spend(ann, 40, 1)).toBe(0);
    expect(await spend(ann, 1)).toBeGreaterThan(0);
    expect(await spend(eve, 100)).toBe(0);
  });

  it('lets exactly as many of 64 parallel registrations pass as fit', async () => {
    const visitor = randomUUID();
    const spend = budget(1_050);
    const calls = Array.from({ length: 64 }, (_, n) => spend(visitor, 100, n));
    const passed = (await Promise.all(calls)).filter((waitMs) => waitMs === 0);
    expect(passed).toHaveLength(10);
  });

  it('tells how long it takes until there is a new one', async () => {
    const visitor = randomUUID();
    const spend = budget(1);
    await spend(visitor, 1);
    const waitMs = await spend(visitor, 1);
    expect(waitMs).toBeGreaterThan(DAY - 60_000);
    expect(waitMs).toBeLessThanOrEqual(DAY);
  });

  it('begins again after the period, which a refusal does not prolong', async () => {
    const visitor = randomUUID();
    const spend = budget(1, 40);
    const isRefused = async () => (await spend(visitor, 1)) > 0;
    let refused = false;
    while (!refused) refused = await isRefused();
    while (refused) refused = await isRefused();
    expect(refused).toBe(false);
  });

  it('refuses what would never fit', async () => {
    expect(await budget(1)(randomUUID(), 2)).toBeGreaterThan(0);
  });
}
