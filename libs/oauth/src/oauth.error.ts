/** A refusal in the form of RFC 6749 §5.2: JSON `{ error, error_description }`. */
export class OAuthError extends Error {
  override name = 'OAuthError';

  constructor(
    readonly status: number,
    readonly error: string,
    description: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(description);
  }
}

/** Keeps only printable ASCII without double quotes and backslashes (RFC 6749 §5.2). */
export const errorDescription = (text: string) =>
  text.replace(/["\\]/g, "'").replace(/[^\x20-\x7e]/g, '?');
