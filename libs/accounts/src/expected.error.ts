/**
 * An error that becomes an answer. It has no stack trace: where it was thrown is irrelevant, and to capture that
 * takes longer than the rest of the refusal.
 */
export class ExpectedError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message, options);
    Error.stackTraceLimit = stackTraceLimit;
  }
}
