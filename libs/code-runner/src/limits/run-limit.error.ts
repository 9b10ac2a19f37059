/** The user has the maximum of running and waiting runs. Nothing ran, nothing was charged. */
export class TooManyRunsError extends Error {
  override name = 'TooManyRunsError';
}

/** The caller cancelled. The screening and the run up to then are charged, nothing else. */
export class RunCancelledError extends Error {
  override name = 'RunCancelledError';
}

/** A store is down, so runs cannot be counted or charged. Nothing ran, nothing was charged. */
export class RunsUnavailableError extends Error {
  override name = 'RunsUnavailableError';
}
