import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { OutageLog } from '#libs/platform';
import { BudgetLimits } from './budget-limits.js';
import { accountOutcome, BudgetStore, type Deletion } from './budget-store.js';
import {
  budgetDay,
  BudgetExhaustedError,
  type BudgetReservation,
  type ChargedConnection,
  endOfDay,
  LimitUnknownError,
  unused,
} from './budget.js';
import { BUDGET_OPTIONS, type BudgetOptions } from './budget.module-definition.js';
import { OwnLimits } from './own-limits.store.js';

/** Counts the credits that move on this replica, with any store. This one counts nothing. */
export class BudgetMeter {
  static readonly portOf = 'budget';

  /** Charged before the work begins. */
  reserved(_credits: number): void {}

  /** Given back unused. */
  returned(_credits: number): void {}

  /** A charge that would have passed the day's limit. */
  refused(): void {}

  /** A call of the store failed, for example because Redis is full. */
  failed(): void {}
}

interface Charged<T> {
  readonly result: T;
  readonly credits: number;
}

const sums = new AsyncLocalStorage<{
  credits: number;
  readonly connection: ChargedConnection | undefined;
}>();

/**
 * Runs `work` and sums the credits that BudgetService charged for it and for all that it started. They count for the
 * connection too, if there is one, and do not pass its limit either.
 */
export async function measureCharges<T>(
  work: () => Promise<T>,
  connection?: ChargedConnection,
): Promise<Charged<T>> {
  const sum = { credits: 0, connection };
  const result = await sums.run(sum, work);
  return { result, credits: sum.credits };
}

function noteCharge(credits: number) {
  const sum = sums.getStore();
  if (sum) sum.credits += credits;
}

/** A user's budget of the current UTC day, in credits; `resetsAt` is an ISO 8601 UTC time. */
export interface UserBudget {
  readonly used: number;
  readonly limit: number;
  readonly resetsAt: string;
}

const LIMIT_WAIT_MS = 1_000;
const LATE = Symbol('late');

/** Charges work to its user's daily budget. Rejects with the store's own error, or LimitUnknownError. */
@Injectable()
export class BudgetService {
  private readonly outage = new OutageLog(new Logger(BudgetService.name));
  private readonly settled = new WeakSet<BudgetReservation>();

  constructor(
    @Inject(BUDGET_OPTIONS) private readonly options: BudgetOptions,
    private readonly store: BudgetStore,
    private readonly limits: BudgetLimits,
    private readonly ownLimits: OwnLimits,
    private readonly meter: BudgetMeter,
  ) {}

  async read(userId: string): Promise<UserBudget> {
    const today = budgetDay(new Date());
    const { day, used, ownLimit } = await this.answered(this.store.read(userId, today));
    const limit = await this.limitOf(userId, ownLimit);
    return { used, limit, resetsAt: endOfDay(day) };
  }

  /**
   * As `read`, with the limit that an administrator gave the account; null where it has the default.
   * @internal
   */
  async readWithOwnLimit(
    userId: string,
  ): Promise<UserBudget & { readonly ownLimit: number | null }> {
    return { ...(await this.read(userId)), ownLimit: (await this.ownLimits.find(userId)) ?? null };
  }

  async reset(userId: string): Promise<void> {
    await this.answered(this.store.reset(userId, budgetDay(new Date())));
  }

  /** Deletes the budget data of a user, in the transaction that deletes the user. */
  async forget(userId: string, deletion: Deletion): Promise<void> {
    await this.store.forget(userId, deletion);
    await this.ownLimits.remove(userId, deletion);
  }

  /** As `read`, but undefined when the budget cannot be read; logs the start and the end of an outage. */
  async find(userId: string): Promise<UserBudget | undefined> {
    const read = () => this.read(userId);
    return this.outage.watch(read, 'budgets cannot be read', 'budgets can be read again');
  }

  /**
   * Charges the maximum cost of the work, before it begins. Within `measureCharges` its connection is charged too.
   * @throws BudgetExhaustedError when that would pass the daily limit of the account or of the connection
   * @throws RangeError when `amount` is no positive safe integer
   */
  async reserve(userId: string, amount: number): Promise<BudgetReservation> {
    if (!Number.isSafeInteger(amount) || amount < 1) {
      throw new RangeError(`a charge is a positive integer, not ${amount}`);
    }
    const today = budgetDay(new Date());
    const limit = await this.limitOf(userId);
    const connection = sums.getStore()?.connection;
    const charging = connection
      ? this.store.reserveWithin(connection, userId, today, amount, limit)
      : this.store.reserve(userId, today, amount, limit).then(accountOutcome);
    const outcome = await this.answered(charging);
    if ('limitedBy' in outcome) {
      this.meter.refused();
      const left = await this.findLeft(userId, connection);
      throw new BudgetExhaustedError(amount, endOfDay(today), left, outcome.limitedBy);
    }
    this.meter.reserved(amount);
    noteCharge(amount);
    return { userId, day: outcome.day, amount, connectionId: connection?.id };
  }

  /**
   * Gives back what the work did not cost. Only the first call for a reservation has an effect, even when it fails.
   * Credits go back to what was charged, account and connection, on the day that was charged, never to a later one.
   */
  async settle(reservation: BudgetReservation, actual: number): Promise<void> {
    if (this.settled.has(reservation)) return;
    this.settled.add(reservation);
    const amount = unused(reservation, actual);
    if (amount === 0) return;
    const { userId, day, connectionId } = reservation;
    const giving =
      connectionId === undefined
        ? this.store.giveBack(userId, day, amount)
        : this.store.giveBackWithin(connectionId, userId, day, amount);
    await this.answered(giving);
    this.meter.returned(amount);
    noteCharge(-amount);
  }

  /** The credits that each connection used today; one that is not there used none. */
  usedToday(connectionIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    return this.answered(this.store.usedBy(connectionIds, budgetDay(new Date())));
  }

  /** Credits per UTC day. `known` is the own limit if it was read, null for none. @throws LimitUnknownError */
  private async limitOf(userId: string, known?: number | null): Promise<number> {
    const own = known === undefined ? await this.ownLimits.find(userId) : (known ?? undefined);
    const { name } = this.limits.constructor;
    const limit = await this.askLimit(userId, own).catch((cause: unknown) => {
      throw new LimitUnknownError(`${name} failed: ${String(cause)}`, { cause });
    });
    if (limit === LATE) {
      throw new LimitUnknownError(`${name} does not answer within ${LIMIT_WAIT_MS} ms`);
    }
    if (Number.isSafeInteger(limit) && limit >= 0) return limit;
    throw new LimitUnknownError(`${name} says ${String(limit)}, which is no number of credits`);
  }

  private async askLimit(userId: string, own: number | undefined) {
    const answer = this.limits.limitOf(userId, { own, defaultLimit: this.options.dailyLimit });
    if (typeof answer === 'number') return answer;
    const waiting = new AbortController();
    try {
      return await Promise.race([answer, sleep(LIMIT_WAIT_MS, LATE, { signal: waiting.signal })]);
    } finally {
      waiting.abort();
    }
  }

  private async answered<T>(asking: Promise<T>): Promise<T> {
    try {
      return await asking;
    } catch (error) {
      this.meter.failed();
      throw error;
    }
  }

  private async findLeft(userId: string, connection: ChargedConnection | undefined) {
    const balance = await this.find(userId);
    if (!balance) return undefined;
    const left = Math.max(0, balance.limit - balance.used);
    if (typeof connection?.dailyCredits !== 'number') return left;
    const { id, dailyCredits } = connection;
    const used = await this.usedToday([id]).catch(() => undefined);
    return used && Math.min(left, Math.max(0, dailyCredits - (used.get(id) ?? 0)));
  }
}
