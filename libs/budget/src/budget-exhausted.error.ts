/** Today's budget does not cover a charge; nothing was charged. The message is for people. */
export class BudgetExhaustedError extends Error {
  override name = 'BudgetExhaustedError';

  /**
   * `resetsAt` is an ISO 8601 UTC time; `left` is what could be charged right after the refusal, undefined when it
   * could not be read.
   */
  constructor(
    readonly amount: number,
    readonly resetsAt: string,
    readonly left: number | undefined,
  ) {
    super(
      `today's budget does not cover ${amount} more ${amount === 1 ? 'credit' : 'credits'}; it resets at ${resetsAt}`,
    );
  }

  /** True when other calls have given enough back since the refusal: the same charge may now succeed. */
  get isCoveredByNow(): boolean {
    return this.left !== undefined && this.left >= this.amount;
  }
}
