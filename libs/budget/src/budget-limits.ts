/** What those who run the service have set, in credits per UTC day. */
export interface SetLimits {
  /** For this account alone (`admin budget set`); undefined where nothing was. */
  readonly own: number | undefined;
  /** For everybody: `BUDGET_DAILY_LIMIT`. */
  readonly everybodys: number;
}

/**
 * How many credits an account may spend a day. Asked whenever a budget is read, shown or charged, at the
 * same time for many accounts and for the same one, on every replica: answer alike on all of them, in an
 * instant. One that rejects, takes longer than a second or says something else than a limit is a budget
 * that cannot be read: `me` says null, and nothing is charged.
 *
 * A charge goes by the limit that was said for it. One that changes meanwhile counts from the next charge
 * on: what was charged stays charged, what is unused comes back, and of two charges at once that were told
 * different limits none passes its own. So more may be used than a limit that was lowered.
 */
export abstract class BudgetLimits {
  static readonly portOf = 'budget';

  /** Credits per UTC day: a safe integer, 0 or more. */
  abstract limitOf(userId: string, set: SetLimits): Promise<number> | number;
}
