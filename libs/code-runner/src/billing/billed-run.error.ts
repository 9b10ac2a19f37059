import type { CodeBusyError, CodeFailure } from '../runner/code-failure.js';

/** The code was screened, which was charged, but not run: `message` says why. The caller may try later. */
export class UnstartedRunError extends Error {
  override name = 'UnstartedRunError';

  constructor(
    cause: CodeBusyError,
    readonly creditsUsed: number,
  ) {
    super(cause.message, { cause });
  }
}

/** The code ran, was charged and failed. */
export class FailedRunError extends Error {
  override name = 'FailedRunError';

  constructor(
    readonly failure: CodeFailure,
    readonly creditsUsed: number,
  ) {
    super(failure.message, { cause: failure });
  }
}
