import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import { keepReason } from '#libs/accounts';

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

/** Sends refusals of the token, registration and revocation endpoints in the form of RFC 6749 §5.2. */
@Catch(OAuthError)
export class OAuthErrorFilter implements ExceptionFilter<OAuthError> {
  catch({ status, error, message, headers }: OAuthError, host: ArgumentsHost) {
    const response = host.switchToHttp().getResponse<Response>();
    keepReason(response, `${error}: ${message}`);
    response
      .status(status)
      .set({ ...headers, Pragma: 'no-cache' })
      .json({ error, error_description: errorDescription(message) });
  }
}
