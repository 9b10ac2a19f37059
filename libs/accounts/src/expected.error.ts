/**
 * An error that is an answer. It has no stack: where it was thrown is for nobody to know, and to find that
 * out takes longer than all else that a refusal does.
 */
export class ExpectedError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message, options);
    Error.stackTraceLimit = stackTraceLimit;
  }
}
