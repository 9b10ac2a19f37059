/** Refusal of a request under `/svc/auth/`; the status is the contract, the message is for people. */
export class AuthError extends Error {
  override name = 'AuthError';

  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
