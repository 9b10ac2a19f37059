/** The transaction that deletes a user, for a store in SQL. */
export interface Deletion {
  query(sql: string, parameters: unknown[]): Promise<unknown>;
}

/** Credits used on one UTC day (`YYYY-MM-DD`). */
export interface DayBalance {
  readonly day: string;
  readonly used: number;
  /** The user's own daily limit, or null, where the store reads it along; else it is asked for apart. */
  readonly ownLimit?: number | null;
}

/**
 * Counts the credits that each user spends on each UTC day.
 *
 * Every method is one atomic step, whatever the number of callers, connections and processes: what is
 * reserved for a user and day, less what was given back, never passes the limit. A rejected call may have
 * been carried out (its answer was lost), so it must not be repeated: credits may then be lost to their
 * user until the day ends, but are never spent twice. Amounts and limits are safe integers, amounts positive.
 *
 * A store may know of a later day than its caller, whose clock is behind; it may then use that later day.
 */
export abstract class BudgetStore {
  static readonly portOf = 'budget';

  /** What is used of `day`, or of a later day that the store already knows of. */
  abstract read(userId: string, day: string): Promise<DayBalance>;

  /**
   * Adds `amount` to what is used, unless that would pass `limit`.
   * Returns the day that was charged, or undefined when nothing was.
   */
  abstract reserve(
    userId: string,
    day: string,
    amount: number,
    limit: number,
  ): Promise<string | undefined>;

  /** Leaves nothing of a user who is deleted; a store in SQL takes part in the transaction that does it. */
  abstract forget(userId: string, deletion: Deletion): Promise<void>;

  /** Takes `amount` off what is used of exactly that day, down to zero; does nothing when the day is gone. */
  abstract giveBack(userId: string, day: string, amount: number): Promise<void>;

  /**
   * Makes what is used of `day`, or of a later day that the store already knows of, nothing. What is
   * reserved at that moment is forgotten too; giving it back later takes nothing off below zero.
   */
  abstract reset(userId: string, day: string): Promise<void>;
}
