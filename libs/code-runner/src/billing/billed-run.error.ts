import type { CodeBusyError, CodeFailure } from '../runner/code-failure.js';

/** Today's budget does not cover the most that the run may cost. Nothing ran, nothing was charged. */
export class UnaffordableRunError extends Error {
  override name = 'UnaffordableRunError';

  /** Credits, and an ISO 8601 UTC time. */
  constructor(
    readonly needed: number,
    readonly left: number,
    readonly resetsAt: string,
    options?: ErrorOptions,
  ) {
    super(`a run may cost ${needed} credits and ${left} are left until ${resetsAt}`, options);
  }
}

/** Screened and paid for that, but not run: `message` says why. For another try later. */
export class UnstartedRunError extends Error {
  override name = 'UnstartedRunError';

  constructor(
    cause: CodeBusyError,
    readonly creditsUsed: number,
  ) {
    super(cause.message, { cause });
  }
}

/** The code ran, was paid for and failed. */
export class FailedRunError extends Error {
  override name = 'FailedRunError';

  constructor(
    readonly failure: CodeFailure,
    readonly creditsUsed: number,
  ) {
    super(failure.message, { cause: failure });
  }
}
