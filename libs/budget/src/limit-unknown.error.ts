/** BudgetLimits failed or did not answer in time. Treated like an outage of the store: a later call may succeed. */
export class LimitUnknownError extends Error {
  override name = 'LimitUnknownError';
}
