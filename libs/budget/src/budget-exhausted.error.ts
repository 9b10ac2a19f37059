/** A charge that today's budget does not cover; nothing was charged. The message is for people. */
export class BudgetExhaustedError extends Error {
  override name = 'BudgetExhaustedError';

  /** `resetsAt` is an ISO 8601 UTC time. */
  constructor(
    readonly amount: number,
    readonly resetsAt: string,
  ) {
    super(
      `today's budget does not cover ${amount} more ${amount === 1 ? 'credit' : 'credits'}; it resets at ${resetsAt}`,
    );
  }
}
