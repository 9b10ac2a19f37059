/** Is told of all credits that move on this replica, whatever store counts them; what was spent is the difference. */
export abstract class BudgetMeter {
  static readonly portOf = 'budget';

  /** Charged ahead of work. */
  abstract reserved(credits: number): void;

  /** Given back unused. */
  abstract returned(credits: number): void;

  /** A charge that the day's limit did not cover. */
  abstract refused(): void;

  /** What the store was asked and did not answer, or refused to do, such as a Redis that is full. */
  abstract failed(): void;
}

/** For who shows no metrics. */
export class NoBudgetMeter extends BudgetMeter {
  override reserved() {}

  override returned() {}

  override refused() {}

  override failed() {}
}
