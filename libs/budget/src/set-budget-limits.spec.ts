import { describeBudgetLimits } from './budget-limits.contract.js';
import { SetBudgetLimits } from './set-budget-limits.adapter.js';

describe('SetBudgetLimits', () => {
  const limits = new SetBudgetLimits();

  describeBudgetLimits(() => limits, ['ada']);

  it('goes by what was set for the account before what was set for everybody', () => {
    expect(limits.limitOf('ada', { own: 0, everybodys: 9 })).toBe(0);
    expect(limits.limitOf('ada', { own: undefined, everybodys: 9 })).toBe(9);
  });
});
