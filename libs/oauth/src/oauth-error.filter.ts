import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import { keepReason } from '#libs/accounts';
import { errorDescription, OAuthError } from './oauth.error.js';

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
