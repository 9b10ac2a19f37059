/** The account has as many runs going, and waiting, as it may have. Nothing ran, nothing was charged. */
export class SlotsTakenError extends Error {
  override name = 'SlotsTakenError';
}

/** The store of the slots or of the budgets is down. Nothing ran, nothing was charged. */
export class RunsUnavailableError extends Error {
  override name = 'RunsUnavailableError';
}
