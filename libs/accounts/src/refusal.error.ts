import { ExpectedError } from './expected.error.js';

interface RefusalOptions extends ErrorOptions {
  /** A machine-readable word beside the message, in answers that are JSON. */
  readonly reason?: string;
}

/**
 * An expected refusal: status and headers are part of the contract, the message is for people. The application
 * renders it in the format of the area, as JSON `{ error }` or as plain text.
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
