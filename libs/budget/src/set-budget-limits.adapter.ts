import { Injectable } from '@nestjs/common';
import { BudgetLimits, type SetLimits } from './budget-limits.js';

/** What was set for the account, else what was set for everybody. */
@Injectable()
export class SetBudgetLimits extends BudgetLimits {
  override limitOf(_userId: string, { own, everybodys }: SetLimits): number {
    return own ?? everybodys;
  }
}
