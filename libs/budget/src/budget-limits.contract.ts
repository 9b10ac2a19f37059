import type { BudgetLimits, SetLimits } from './budget-limits.js';

const AT_ONCE = 64;

/** What every BudgetLimits promises; `users` are accounts that it knows. */
export function describeBudgetLimits(open: () => BudgetLimits, users: readonly string[] = []) {
  const asked = ['no-such-user', ...users];
  const sets: readonly SetLimits[] = [
    { own: undefined, defaultLimit: 0 },
    { own: undefined, defaultLimit: 1_000 },
    { own: 0, defaultLimit: 1_000 },
    { own: 5_000, defaultLimit: 1_000 },
  ];

  it.each(sets)('says a whole number of credits where %p is set', async (set) => {
    for (const user of asked) {
      const limit = await open().limitOf(user, set);
      expect(Number.isSafeInteger(limit) && limit >= 0).toBe(true);
    }
  });

  it('says the same to many who ask at once', async () => {
    const limits = open();
    for (const user of asked) {
      const set = { own: undefined, defaultLimit: 1_000 };
      const said = await Promise.all(
        Array.from({ length: AT_ONCE }, () => limits.limitOf(user, set)),
      );
      expect(new Set(said).size).toBe(1);
    }
  });
}
