import { type ArgumentsHost, Catch, type ExceptionFilter, Inject } from '@nestjs/common';
import type { Request, Response } from 'express';
import { keepReason, ownOriginOf, SecurityEventsService } from '#libs/accounts';
import { OAUTH_OPTIONS, type OAuthOptions } from '../oauth.module-definition.js';
import { bearerChallenge } from './bearer-challenge.js';
import { BearerError } from './bearer.error.js';
import { scopeNames } from './protected-resource.js';

/** Only in the body: without a token the challenge has no error code (RFC 6750 §3.1). */
const NO_TOKEN = 'unauthorized';

/**
 * Sends refusals with a challenge that says where to get a token, and for which scopes. Emits an event for an
 * invalid token, but not for a missing token or missing scopes, which are part of a client's normal flow.
 */
@Catch(BearerError)
export class BearerErrorFilter implements ExceptionFilter<BearerError> {
  constructor(
    @Inject(OAUTH_OPTIONS) private readonly options: OAuthOptions,
    private readonly events: SecurityEventsService,
  ) {}

  catch(error: BearerError, host: ArgumentsHost) {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    const { origin } = ownOriginOf(request);
    if (error.code !== undefined && error.code !== 'insufficient_scope') {
      const detail = error.message;
      this.events.emit({ type: 'bearer-refused', userId: null, origin, detail });
    }
    keepReason(response, error.message);
    const challenge = bearerChallenge(error, origin, scopeNames(this.options.scopes));
    response.status(error.status).set('WWW-Authenticate', challenge);
    response.json({ error: error.code ?? NO_TOKEN, error_description: error.message });
  }
}
