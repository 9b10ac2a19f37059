/** Credits charged before work whose cost is not known yet. Settled once, by passing this same object. */
export interface BudgetReservation {
  readonly userId: string;
  /** The UTC day that was charged, `YYYY-MM-DD`. */
  readonly day: string;
  readonly amount: number;
}

/** What a reservation gives back when the work cost `actual` credits, clamped to 0 at least and its amount at most. */
export function unused({ amount }: BudgetReservation, actual: number): number {
  return Number.isNaN(actual) ? 0 : amount - Math.min(Math.max(Math.ceil(actual), 0), amount);
}
