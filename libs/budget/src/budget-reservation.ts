/** Credits charged ahead of work whose cost is not known yet. To be settled once, by this very object. */
export interface BudgetReservation {
  readonly userId: string;
  /** The UTC day that was charged, `YYYY-MM-DD`. */
  readonly day: string;
  readonly amount: number;
}

/** What a reservation gives back when the work cost `actual` credits, which counts as at least 0 and at most all of it. */
export function unused({ amount }: BudgetReservation, actual: number): number {
  return Number.isNaN(actual) ? 0 : amount - Math.min(Math.max(Math.ceil(actual), 0), amount);
}
