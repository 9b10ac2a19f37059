/** The user has as many runs going, and waiting, as one may have. Nothing ran, nothing was charged. */
export class TooManyRunsError extends Error {
  override name = 'TooManyRunsError';
}

/** Runs cannot be counted, or not be charged: a store is down. Nothing ran, nothing was charged. */
export class RunsUnavailableError extends Error {
  override name = 'RunsUnavailableError';
}
