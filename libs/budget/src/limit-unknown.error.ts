/** BudgetLimits did not say, in time, what an account may spend. As an outage of the store: it may by and by. */
export class LimitUnknownError extends Error {
  override name = 'LimitUnknownError';
}
