/** The UTC day of a moment as `YYYY-MM-DD`; later days compare greater as text. */
export const budgetDay = (at: Date): string => at.toISOString().slice(0, 10);

export const DAY_MS = 24 * 60 * 60 * 1000;

export const endOfDay = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00.000Z`) + DAY_MS).toISOString();

/** Credits charged before work whose cost is not known yet. Settled once, by passing this same object. */
export interface BudgetReservation {
  readonly userId: string;
  readonly day: string;
  readonly amount: number;
  /** The connection that was charged too. */
  readonly connectionId?: string | undefined;
}

/** The connection of the app whose call a charge is for. */
export interface ChargedConnection {
  readonly id: string;
  /** What it may use of its account's budget per UTC day; null for all of it. */
  readonly dailyCredits: number | null;
}

/** Whose daily limit a refused charge would have passed. */
export type BudgetHolder = 'account' | 'connection';

/** What a reservation gives back when the work cost `actual` credits, clamped to 0 at least and its amount at most. */
export function unused({ amount }: BudgetReservation, actual: number): number {
  return Number.isNaN(actual) ? 0 : amount - Math.min(Math.max(Math.ceil(actual), 0), amount);
}

/** A daily limit does not cover a charge; nothing was charged. The message is for people. */
export class BudgetExhaustedError extends Error {
  override name = 'BudgetExhaustedError';

  /**
   * `resetsAt` is in ISO 8601; `left` could be charged right after the refusal, undefined when it could not be read.
   * `limitedBy` says whose limit refused: that of the account, or the one of the app's connection within it.
   */
  constructor(
    readonly amount: number,
    readonly resetsAt: string,
    readonly left: number | undefined,
    readonly limitedBy: BudgetHolder = 'account',
  ) {
    super(
      `${limitedBy === 'account' ? "today's budget" : "today's limit of this app"} does not cover ${amount} more ${amount === 1 ? 'credit' : 'credits'}; it resets at ${resetsAt}`,
    );
  }

  /** True when other calls have given enough back since the refusal: the same charge may now succeed. */
  get isCoveredByNow(): boolean {
    // Stryker disable next-line ConditionalExpression: undefined is not at least any amount either.
    return this.left !== undefined && this.left >= this.amount;
  }
}

/** BudgetLimits failed or did not answer in time. Treated like an outage of the store: a later call may succeed. */
export class LimitUnknownError extends Error {
  override name = 'LimitUnknownError';
}
