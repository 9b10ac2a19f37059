/** The user has as many runs going, and waiting, as one may have. Nothing ran, nothing was charged. */
export class TooManyRunsError extends Error {
  override name = 'TooManyRunsError';
}

/** Its caller cancelled. What was screened and what ran until then is charged, and nothing else. */
export class RunCancelledError extends Error {
  override name = 'RunCancelledError';
}

/** Runs cannot be counted, or not be charged: a store is down. Nothing ran, nothing was charged. */
export class RunsUnavailableError extends Error {
  override name = 'RunsUnavailableError';
}
