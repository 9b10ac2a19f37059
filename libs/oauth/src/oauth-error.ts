/** A refusal in the form of RFC 6749 §5.2: JSON `{ error, error_description }`. */
export class OAuthError extends Error {
  override name = 'OAuthError';

  constructor(
    readonly status: number,
    readonly error: string,
    description: string,
    readonly headers: Readonly<Record<string, string>> = {},
    /** The cause, for the log and events, where the client gets less. */
    readonly detail = description,
  ) {
    super(description);
  }
}

export const invalidRequest = (description: string) =>
  new OAuthError(400, 'invalid_request', description);
