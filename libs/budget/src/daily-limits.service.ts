import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { BudgetLimits } from './budget-limits.js';
import { BUDGET_OPTIONS, type BudgetOptions } from './budget.module-definition.js';
import { LimitUnknownError } from './budget.js';
import { OwnLimits } from './own-limits.store.js';

const PATIENCE_MS = 1_000;

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
    const limit = await this.ask(userId, own);
    if (Number.isSafeInteger(limit) && limit >= 0) return limit;
    throw new LimitUnknownError(
      `${this.whose} says ${String(limit)}, which is no number of credits`,
    );
  }

  private async ask(userId: string, own: number | undefined): Promise<number> {
    try {
      const said = this.limits.limitOf(userId, { own, defaultLimit: this.options.dailyLimit });
      return typeof said === 'number' ? said : await this.inTime(said);
    } catch (cause) {
      if (cause instanceof LimitUnknownError) throw cause;
      throw new LimitUnknownError(`${this.whose} failed: ${String(cause)}`, { cause });
    }
  }

  private async inTime(said: Promise<number>): Promise<number> {
    const waiting = new AbortController();
    const late = sleep(PATIENCE_MS, undefined, { signal: waiting.signal }).then(() => {
      throw new LimitUnknownError(`${this.whose} does not answer within ${PATIENCE_MS} ms`);
    });
    try {
      return await Promise.race([said, late]);
    } finally {
      waiting.abort();
    }
  }

  private get whose() {
    return this.limits.constructor.name;
  }
}
