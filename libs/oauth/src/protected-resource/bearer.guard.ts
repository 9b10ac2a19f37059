import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { headerValues, holdBodyFor, ownOriginOf } from '#libs/accounts';
import { type AccessGrant, AccessTokensService } from '../grants/access-tokens.service.js';
import { resourceOf } from '../grants/grant.js';
import { isOfOurForm, readBearerToken } from './bearer-token.js';
import { BearerError } from './bearer.error.js';
import { endWithGrant } from './grant-end.js';

const NO_TOKEN = 'an access token is needed; the WWW-Authenticate header says where to get one';

const grants = new WeakMap<Request, AccessGrant>();

/** The grant behind a request that BearerGuard let through. */
export function accessGrantOf(request: Request): AccessGrant {
  const grant = grants.get(request);
  if (!grant) throw new Error('only a request that passed the bearer guard has a grant');
  return grant;
}

/** As readBearerToken. */
export const bearerTokenOf = (request: Request): string | undefined =>
  readBearerToken(headerValues(request, 'authorization'), Boolean(request.query['access_token']));

/**
 * Lets a request through whose bearer token is good now, for the resource at this very origin; what is
 * still open when the grant ends, ends with it, or within 30 seconds when it ends before its time.
 * A failing look-up is passed on as it is: a refusal would make clients throw a good token away.
 */
@Injectable()
export class BearerGuard implements CanActivate {
  constructor(private readonly tokens: AccessTokensService) {}

  async canActivate(context: ExecutionContext) {
    const request = context.switchToHttp().getRequest<Request>();
    const token = bearerTokenOf(request);
    if (token === undefined) throw new BearerError(undefined, NO_TOKEN);
    const grant = isOfOurForm(token) ? await this.find(token, request) : undefined;
    if (!grant) {
      throw new BearerError('invalid_token', 'the access token is unknown, expired or revoked');
    }
    const response = context.switchToHttp().getResponse<Response>();
    endWithGrant(response, grant.endsAt, () => this.tokens.isActive(grant.grantId));
    grants.set(request, grant);
    holdBodyFor(request, grant.user.id);
    return true;
  }

  private find(token: string, request: Request) {
    return this.tokens.accept(token, resourceOf(ownOriginOf(request).origin));
  }
}
