/**
 * An expected refusal: the status and headers are the contract, the message is for people. The
 * application renders it as its area does, as JSON `{ error }` or in plain text.
 */
export class RefusalError extends Error {
  override name = 'RefusalError';

  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
