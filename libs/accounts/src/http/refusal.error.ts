/** An error that becomes an answer, without a stack trace: to capture one takes longer than the rest of the refusal. */
export class ExpectedError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message, options);
    Error.stackTraceLimit = stackTraceLimit;
  }
}

interface RefusalOptions extends ErrorOptions {
  /** A machine-readable word beside the message, in answers that are JSON. */
  readonly reason?: string;
}

/**
 * An expected refusal: status and headers are part of the contract, the message is for people. The application
 * renders it as the controller says (ErrorFormat), or as plain text.
 */
export class RefusalError extends ExpectedError {
  override name = 'RefusalError';
  readonly reason: string | undefined;

  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
    { reason, ...options }: RefusalOptions = {},
  ) {
    super(message, options);
    this.reason = reason;
  }
}
