/** A charge that today's budget does not cover; nothing was charged. The message is for people. */
export class BudgetExhaustedError extends Error {
  override name = 'BudgetExhaustedError';

  /**
   * `resetsAt` is an ISO 8601 UTC time; `left` is what could be charged right after the refusal,
   * undefined when it could not be read.
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

  /** Others have given back, since, what was missing: the same charge may do now. */
  get isCoveredByNow(): boolean {
    return this.left !== undefined && this.left >= this.amount;
  }
}
