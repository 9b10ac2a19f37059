/** Counts all credits that move on this replica, with any store; what was spent is the difference. */
export abstract class BudgetMeter {
  static readonly portOf = 'budget';

  /** Charged before the work begins. */
  abstract reserved(credits: number): void;

  /** Given back unused. */
  abstract returned(credits: number): void;

  /** A charge that would have passed the day's limit. */
  abstract refused(): void;

  /** A call of the store failed, for example because Redis is full. */
  abstract failed(): void;
}

/** The default, without metrics. */
export class NoBudgetMeter extends BudgetMeter {
  override reserved() {}

  override returned() {}

  override refused() {}

  override failed() {}
}
