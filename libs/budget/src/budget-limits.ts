import { Injectable } from '@nestjs/common';

/** Limits that administrators have set, in credits per UTC day. */
export interface SetLimits {
  /** For this account only (`admin budget set`); undefined when none is set. */
  readonly own: number | undefined;
  /** For all accounts: `BUDGET_DAILY_LIMIT`. */
  readonly defaultLimit: number;
}

/**
 * Decides how many credits an account may spend per day. Called whenever a budget is read, shown or charged, in
 * parallel for many accounts and for the same one, on every replica: it has to answer alike on all of them, and at
 * once. When it rejects, takes longer than a second or returns something that is no limit, the budget cannot be
 * read: `me` shows null, and nothing is charged.
 *
 * A charge uses the limit that was returned for it. A changed limit applies from the next charge on: earlier
 * charges stay, unused credits are given back, and of two parallel charges with different limits neither passes its
 * own. So an account may have used more than a lowered limit.
 */
export abstract class BudgetLimits {
  static readonly portOf = 'budget';

  /**
   * Credits per UTC day: a safe integer, 0 or more. The id of a machine client's account is `client:` and its
   * client id.
   */
  abstract limitOf(userId: string, set: SetLimits): Promise<number> | number;
}

@Injectable()
export class SetBudgetLimits extends BudgetLimits {
  override limitOf(_userId: string, { own, defaultLimit }: SetLimits): number {
    return own ?? defaultLimit;
  }
}
