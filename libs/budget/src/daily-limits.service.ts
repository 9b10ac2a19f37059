import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { BudgetLimits } from './budget-limits.js';
import { BUDGET_OPTIONS, type BudgetOptions } from './budget.module-definition.js';
import { LimitUnknownError } from './budget.js';
import { OwnLimits } from './own-limits.store.js';

const PATIENCE_MS = 1_000;
const LATE = Symbol('late');

/** Asks BudgetLimits, with a time limit, and refuses an answer that is no limit. */
@Injectable()
export class DailyLimitsService {
  constructor(
    @Inject(BUDGET_OPTIONS) private readonly options: BudgetOptions,
    private readonly ownLimits: OwnLimits,
    private readonly limits: BudgetLimits,
  ) {}

  /**
   * Credits per UTC day. `known` is the account's own limit if it was already read, null for none.
   * @throws LimitUnknownError, and the database's own error when that is down
   */
  async limitOf(userId: string, known?: number | null): Promise<number> {
    const own = known === undefined ? await this.ownLimits.find(userId) : (known ?? undefined);
    const { name } = this.limits.constructor;
    const limit = await this.ask(userId, own).catch((cause: unknown) => {
      throw new LimitUnknownError(`${name} failed: ${String(cause)}`, { cause });
    });
    if (limit === LATE) {
      throw new LimitUnknownError(`${name} does not answer within ${PATIENCE_MS} ms`);
    }
    if (Number.isSafeInteger(limit) && limit >= 0) return limit;
    throw new LimitUnknownError(`${name} says ${String(limit)}, which is no number of credits`);
  }

  private async ask(userId: string, own: number | undefined) {
    const said = this.limits.limitOf(userId, { own, defaultLimit: this.options.dailyLimit });
    if (typeof said === 'number') return said;
    const waiting = new AbortController();
    try {
      return await Promise.race([said, sleep(PATIENCE_MS, LATE, { signal: waiting.signal })]);
    } finally {
      waiting.abort();
    }
  }
}
