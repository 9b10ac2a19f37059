import { Injectable } from '@nestjs/common';
import { BudgetLimits, type SetLimits } from 'gatehouse/budget';
import { DataSource } from 'typeorm';

/** An account with this many greetings is on the plan for regulars, with a multiple of the usual credits. */
const REGULAR_AFTER = 10;
const REGULARS_GET = 20;

const GREETED = 'SELECT count FROM acme_greetings WHERE user_id = $1';

/** A budget per plan. What an administrator gave an account by hand comes first. */
@Injectable()
export class AcmeBudgetLimits extends BudgetLimits {
  constructor(private readonly dataSource: DataSource) {
    super();
  }

  async limitOf(userId: string, { own, defaultLimit }: SetLimits) {
    if (own !== undefined) return own;
    const [greeted] = await this.dataSource.query<{ count: number }[]>(GREETED, [userId]);
    const isRegular = Number(greeted?.count ?? 0) >= REGULAR_AFTER;
    return isRegular ? REGULARS_GET * defaultLimit : defaultLimit;
  }
}
