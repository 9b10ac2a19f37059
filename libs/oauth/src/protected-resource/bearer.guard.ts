import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  checkAgainAfterBody,
  endWithAccess,
  headerValues,
  holdBodyFor,
  ownOriginOf,
} from '#libs/accounts';
import { RequestMember } from '#libs/platform';
import { type AccessGrant, AccessTokensService } from '../token/access-tokens.service.js';
import { resourceOf } from '../grant/grant.js';
import { OAUTH_OPTIONS, type OAuthOptions } from '../oauth.module-definition.js';
import { AccountSlots } from './account-slots.js';
import { isOfOurForm, readBearerToken } from './bearer-token.js';
import { BearerError } from './bearer.error.js';
import { scopeNames } from './protected-resource.js';
import { expectScopes, requiredScopes } from './required-scopes.js';

const NO_TOKEN = 'an access token is needed; the WWW-Authenticate header says where to get one';

const grants = new RequestMember<AccessGrant>();

/** The grant behind a request that BearerGuard let through. */
export function accessGrantOf(request: Request): AccessGrant {
  const grant = grants.get(request);
  if (!grant) throw new Error('only a request that passed the bearer guard has a grant');
  return grant;
}

/**
 * Admits a request whose bearer token is valid now, for the resource at this origin, and has the scopes that
 * RequireScope asks for. An exchange that is still open when the grant expires ends with it, or within 30
 * seconds when the grant ends early. Limits how many requests of an account begin at a time.
 * Rethrows the error of a failing look-up: a refusal would make clients discard a valid token.
 * @throws BearerError
 */
@Injectable()
export class BearerGuard implements CanActivate {
  constructor(
    private readonly tokens: AccessTokensService,
    private readonly slots: AccountSlots,
    @Inject(OAUTH_OPTIONS) private readonly options: OAuthOptions,
  ) {}

  async canActivate(context: ExecutionContext) {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const grant = grants.get(request) ?? (await this.admit(request, http.getResponse<Response>()));
    const needed = [context.getClass(), context.getHandler()].flatMap(requiredScopes);
    expectScopes(needed, grant.scopes, scopeNames(this.options.scopes));
    return true;
  }

  private async admit(request: Request, response: Response): Promise<AccessGrant> {
    const token = tokenOf(request);
    const belongsTo = await this.slots.enter(token, response);
    const grant = await this.get(token, request);
    belongsTo(grant.user.id);
    endWithAccess(response, grant.endsAt, () => this.tokens.isActive(grant.grantId));
    holdBodyFor(request, grant.user.id);
    checkAgainAfterBody(request, () => this.get(token, request));
    grants.set(request, grant);
    return grant;
  }

  private async get(token: string, request: Request): Promise<AccessGrant> {
    const grant = await this.tokens.accept(token, resourceOf(ownOriginOf(request).origin));
    if (!grant) throw notGood();
    return grant;
  }
}

/** The token, if it has the form of ours: others are refused without a look-up or a wait for a slot. */
function tokenOf(request: Request): string {
  const authorizations = headerValues(request, 'authorization');
  const token = readBearerToken(authorizations, Boolean(request.query['access_token']));
  if (token === undefined) throw new BearerError(undefined, NO_TOKEN);
  if (!isOfOurForm(token)) throw notGood();
  return token;
}

const notGood = () =>
  new BearerError('invalid_token', 'the access token is unknown, expired or revoked');
