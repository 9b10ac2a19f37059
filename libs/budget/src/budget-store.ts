import type { BudgetHolder, ChargedConnection } from './budget.js';

/** The transaction that deletes a user, for a store in SQL. */
export interface Deletion {
  query(sql: string, parameters: unknown[]): Promise<unknown>;
}

/** Credits used on one UTC day (`YYYY-MM-DD`). */
export interface DayBalance {
  readonly day: string;
  readonly used: number;
  /** The user's own daily limit, or null, when the same query reads it; undefined: it is read separately. */
  readonly ownLimit?: number | null;
}

/** The day that was charged, or whose limit refused the charge. */
export type ChargeOutcome = { readonly day: string } | { readonly limitedBy: BudgetHolder };

/** Of a charge without a connection; `day` is undefined when nothing was charged. */
export const accountOutcome = (day: string | undefined): ChargeOutcome =>
  day === undefined ? { limitedBy: 'account' } : { day };

/**
 * Counts the credits that each user spends on each UTC day.
 *
 * Every method is one atomic step, for any number of callers, connections and processes: the credits reserved for a
 * user and day, less those given back, never pass the limit. A rejected call may have been carried out (its answer
 * was lost), so it must not be repeated: its user may then lose credits until the day ends, but credits are never
 * spent twice. Amounts and limits are safe integers, amounts positive.
 *
 * A store that knows a later day of a user than a caller, whose clock is behind, uses that later day: the day before is
 * over, and what was reserved on it no longer counts and is not given back to another day.
 */
export abstract class BudgetStore {
  static readonly portOf = 'budget';

  /** The credits used on `day`, or on a later day that the store already knows; 0 for a user who spent none on it. */
  abstract read(userId: string, day: string): Promise<DayBalance>;

  /**
   * Adds `amount` to the credits used on `day`, or on a later day that the store already knows, unless that would pass
   * the `limit` of this call. Returns the day that was charged, or undefined when nothing was.
   */
  abstract reserve(
    userId: string,
    day: string,
    amount: number,
    limit: number,
  ): Promise<string | undefined>;

  /** Deletes all data of a user who is deleted; a store in SQL does so in the transaction that deletes the user. */
  abstract forget(userId: string, deletion: Deletion): Promise<void>;

  /** Takes `amount` off the credits used on exactly that day, down to zero; does nothing when the day is gone. */
  abstract giveBack(userId: string, day: string, amount: number): Promise<void>;

  /**
   * Sets the credits used on `day`, or on a later day that the store already knows, to 0. Open reservations are
   * reset too; giving them back later does not go below zero. What connections used stays.
   */
  abstract reset(userId: string, day: string): Promise<void>;

  /**
   * As `reserve`, for a call of this connection of the user: counts for both, on the same day, and passes neither the
   * limit of the user nor that of the connection, in one atomic step. Refused, nothing is charged on either; if both
   * limits refuse, it says `account`. A store that does not override this counts and limits no connections.
   */
  async reserveWithin(
    _connection: ChargedConnection,
    userId: string,
    day: string,
    amount: number,
    limit: number,
  ): Promise<ChargeOutcome> {
    return accountOutcome(await this.reserve(userId, day, amount, limit));
  }

  /** As `giveBack`, for what was charged by `reserveWithin`: off the credits of both, in one atomic step. */
  async giveBackWithin(
    _connectionId: string,
    userId: string,
    day: string,
    amount: number,
  ): Promise<void> {
    await this.giveBack(userId, day, amount);
  }

  /** The credits that each connection used on `day`, or on a later day that it was charged on; without those of 0. */
  async usedBy(
    _connectionIds: readonly string[],
    _day: string,
  ): Promise<ReadonlyMap<string, number>> {
    return new Map();
  }
}
