/** An account's daily balance, in credits; `resetsAt` is an ISO 8601 UTC time. */
export interface BudgetBalance {
  readonly used: number;
  readonly limit: number;
  readonly resetsAt: string;
}

/** Reads the balance that `me` shows. The application binds it, so that accounts does not depend on a budget store. */
export abstract class BudgetReader {
  static readonly portOf = 'accounts';

  /** Undefined when the balance cannot be read at the moment; the account is then shown without one. */
  abstract find(userId: string): Promise<BudgetBalance | undefined>;
}
