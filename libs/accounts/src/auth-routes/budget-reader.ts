/** An account's daily balance, in credits; `resetsAt` is an ISO 8601 UTC time. */
export interface BudgetBalance {
  readonly used: number;
  readonly limit: number;
  readonly resetsAt: string;
}

/** Where `me` reads the balance from; bound by the application, so accounts know no budget store. */
export abstract class BudgetReader {
  /** Rejects when the counter cannot be read; the account is then shown without a balance. */
  abstract read(userId: string): Promise<BudgetBalance>;
}
