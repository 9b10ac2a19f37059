/** An account's daily balance, in credits; `resetsAt` is an ISO 8601 UTC time. */
export interface BudgetBalance {
  readonly used: number;
  readonly limit: number;
  readonly resetsAt: string;
}

/** Where `me` reads the balance from; bound by the application, so accounts know no budget store. */
export abstract class BudgetReader {
  static readonly portOf = 'accounts';

  /** Undefined when the balance cannot be read right now; the account is then shown without one. */
  abstract find(userId: string): Promise<BudgetBalance | undefined>;
}
