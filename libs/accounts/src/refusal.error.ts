import { ExpectedError } from './expected.error.js';

interface RefusalOptions extends ErrorOptions {
  /** One word for programs, beside the sentence, where an answer in JSON has one. */
  readonly reason?: string;
}

/**
 * An expected refusal: the status and headers are the contract, the message is for people. The
 * application renders it as its area does, as JSON `{ error }` or in plain text.
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
