import { describeRegistrationBudget } from './registration-budget.contract.js';
import { InProcessRegistrationBudget } from './registration-budget.in-process.js';

describe('RegistrationBudget in this process', () => {
  describeRegistrationBudget((allowance) => [new InProcessRegistrationBudget(allowance)]);

  it('is 5 MiB a day', async () => {
    const budget = new InProcessRegistrationBudget();
    expect(await budget.spend('ann', 5_242_880)).toBe(0);
    expect(await budget.spend('ann', 1)).toBeGreaterThan(23 * 60 * 60 * 1000);
  });

  it('holds no more visitors than its bound: the oldest window goes first', async () => {
    const budget = new InProcessRegistrationBudget({ bytes: 1, periodMs: 60_000 }, 2);
    for (const visitor of ['a', 'b', 'a', 'c']) await budget.spend(visitor, 1);
    expect(await budget.spend('c', 1)).toBeGreaterThan(0);
    expect(await budget.spend('b', 1)).toBeGreaterThan(0);
    expect(await budget.spend('a', 1)).toBe(0);
  });
});
