import { Injectable, Logger } from '@nestjs/common';
import { OutageLog } from '#libs/platform';
import { budgetDay, resetsAt } from './budget-day.js';
import { BudgetExhaustedError } from './budget-exhausted.error.js';
import { type BudgetReservation, unused } from './budget-reservation.js';
import { BudgetMeter } from './budget-meter.js';
import { BudgetStore, type Deletion } from './budget-store.js';
import { DailyLimitsService } from './daily-limits.service.js';
import { OwnLimits } from './own-limits.sql.js';
import { noteCharge } from './measured-charges.js';

/** A user's budget of the current UTC day, in credits; `resetsAt` is an ISO 8601 UTC time. */
export interface BudgetBalance {
  readonly used: number;
  readonly limit: number;
  readonly resetsAt: string;
}

/**
 * Charges work to its user's daily budget. Rejects with the store's own error when the store is down, and with
 * LimitUnknownError while BudgetLimits gives no limit.
 */
@Injectable()
export class BudgetService {
  private readonly outage = new OutageLog(new Logger(BudgetService.name));
  private readonly settled = new WeakSet<BudgetReservation>();

  constructor(
    private readonly store: BudgetStore,
    private readonly limits: DailyLimitsService,
    private readonly ownLimits: OwnLimits,
    private readonly meter: BudgetMeter,
  ) {}

  async read(userId: string): Promise<BudgetBalance> {
    const today = budgetDay(new Date());
    const { day, used, ownLimit } = await this.answered(this.store.read(userId, today));
    const limit = await this.limits.limitOf(userId, ownLimit);
    return { used, limit, resetsAt: resetsAt(day) };
  }

  /** Sets the credits used today to 0. */
  async reset(userId: string): Promise<void> {
    await this.answered(this.store.reset(userId, budgetDay(new Date())));
  }

  /** Deletes the budget data of a user, in the transaction that deletes the user. */
  async forget(userId: string, deletion: Deletion): Promise<void> {
    await this.store.forget(userId, deletion);
    await this.ownLimits.remove(userId, deletion);
  }

  /** As `read`, but undefined when the budget cannot be read; logs the start and the end of an outage. */
  async find(userId: string): Promise<BudgetBalance | undefined> {
    try {
      const balance = await this.read(userId);
      this.outage.end('budgets can be read again');
      return balance;
    } catch (error) {
      this.outage.begin(`budgets cannot be read: ${String(error)}`);
      return undefined;
    }
  }

  /**
   * Charges the maximum cost of the work, before it begins.
   * @throws BudgetExhaustedError when that would pass the daily limit
   * @throws RangeError when `amount` is no positive safe integer
   */
  async reserve(userId: string, amount: number): Promise<BudgetReservation> {
    if (!Number.isSafeInteger(amount) || amount < 1) {
      throw new RangeError(`a charge is a positive integer, not ${amount}`);
    }
    const today = budgetDay(new Date());
    const limit = await this.limits.limitOf(userId);
    const day = await this.answered(this.store.reserve(userId, today, amount, limit));
    if (day === undefined) {
      this.meter.refused();
      throw new BudgetExhaustedError(amount, resetsAt(today), await this.findLeft(userId));
    }
    this.meter.reserved(amount);
    noteCharge(amount);
    return { userId, day, amount };
  }

  /**
   * Gives back what the work did not cost. Only the first call for a reservation has an effect, even when it fails.
   * Credits go back to the day that was charged, never to a later one.
   */
  async settle(reservation: BudgetReservation, actual: number): Promise<void> {
    if (this.settled.has(reservation)) return;
    this.settled.add(reservation);
    const amount = unused(reservation, actual);
    if (amount === 0) return;
    await this.answered(this.store.giveBack(reservation.userId, reservation.day, amount));
    this.meter.returned(amount);
    noteCharge(-amount);
  }

  private async answered<T>(asking: Promise<T>): Promise<T> {
    try {
      return await asking;
    } catch (error) {
      this.meter.failed();
      throw error;
    }
  }

  private async findLeft(userId: string) {
    const balance = await this.find(userId);
    return balance && Math.max(0, balance.limit - balance.used);
  }
}
