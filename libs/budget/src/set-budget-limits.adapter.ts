import { Injectable } from '@nestjs/common';
import { BudgetLimits, type SetLimits } from './budget-limits.js';

/** Returns the account's own limit, or else the limit for all accounts. */
@Injectable()
export class SetBudgetLimits extends BudgetLimits {
  override limitOf(_userId: string, { own, everybodys }: SetLimits): number {
    return own ?? everybodys;
  }
}
