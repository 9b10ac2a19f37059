import {
  Controller,
  HttpCode,
  Inject,
  Post,
  Req,
  Res,
  UseFilters,
  UseGuards,
} from '@nestjs/common';
import { getStorageToken, type ThrottlerStorage } from '@nestjs/throttler';
import type { Request, Response } from 'express';
import { AllowRoutedMethods, ErrorFormat, ownOriginOf, tooManyRequests } from '#libs/accounts';
import { epochSeconds } from '#libs/platform';
import {
  OAUTH_PATHS,
  oauthErrorBody,
  OAuthErrorFilter,
  readOAuthForm,
} from '../oauth-endpoints.js';
import { invalidRequest } from '../oauth-error.js';
import type { Resource } from '../resource/resource.js';
import { SigningKeysService } from '../signing/signing-keys.service.js';
import { BearerTokensService } from '../token/bearer-tokens.service.js';
import { isJwt, isOpaque, MAX_JWT_LENGTH } from '../token/token.js';
import { ResourceServerGuard, servedResourceOf } from './resource-server.guard.js';

const INACTIVE = { active: false } as const;

const LIMIT = 'introspection';

const MINUTE_MS = 60_000;

/** Per resource server and minute: of texts that have the form of our tokens, and again as many of others. */
const REQUESTS = 6000;

/** Where servers of further resources ask about tokens (RFC 7662); exists only where one may ask. */
@Controller()
@AllowRoutedMethods()
@UseFilters(OAuthErrorFilter)
@ErrorFormat({
  bodyOf: (failure) => (failure.status === 405 ? undefined : oauthErrorBody(failure)),
})
export class IntrospectionController {
  constructor(
    private readonly tokens: BearerTokensService,
    private readonly keys: SigningKeysService,
    @Inject(getStorageToken()) private readonly storage: ThrottlerStorage,
  ) {}

  /** After the method (405) and the server's credentials (401, 429). */
  @Post(OAUTH_PATHS.introspect)
  @HttpCode(200)
  @UseGuards(ResourceServerGuard)
  async introspect(@Req() request: Request, @Res() response: Response) {
    // 1. The one token; a hint at its type changes nothing (§2.1).
    const [token, ...others] = (await readOAuthForm(request)).getAll('token');
    if (!token || others.length > 0) throw invalidRequest('the form needs one token');
    // 2. What it is to this resource server, within its limit (429).
    const { origin } = ownOriginOf(request);
    const answer = await this.describe(token, servedResourceOf(request), origin);
    response.set('Pragma', 'no-cache').json(answer);
  }

  /**
   * Tells of an access token of this issuer for the resource that is good now, which counts as its use, with times in
   * epoch seconds; of all else only that it is not active (§2.2, §4). A JWT needs a signature by a published key, then
   * its grant decides. A text without our form counts apart and is not looked up: strangers who send such must not use
   * up the limit. Throws RefusalError 429.
   */
  private async describe(
    token: string,
    { resource: audience, introspection }: Resource,
    issuer: string,
  ) {
    const target = { issuer, audience };
    const hasOurForm = isOpaque(token) || this.isOurJwt(token);
    await this.count(`${LIMIT}:${introspection?.clientId}${hasOurForm ? '' : ':other'}`);
    if (!hasOurForm) return INACTIVE;
    if (isJwt(token) && !(await this.keys.verifies(token, target))) return INACTIVE;
    const found = await this.tokens.find(token, target);
    if (!found || found.grant.pausedBy) return INACTIVE;
    const { grant, issuedAt, expiresAt } = found;
    return {
      active: true,
      scope: grant.scopes.join(' '),
      client_id: grant.clientId,
      sub: grant.user?.id ?? grant.clientId,
      aud: audience,
      iss: issuer,
      exp: epochSeconds(Math.min(expiresAt, grant.endsAt)),
      iat: issuedAt,
      token_type: 'Bearer',
      ...(grant.user ? { username: grant.user.displayName } : {}),
    };
  }

  private isOurJwt(token: string): boolean {
    return token.length <= MAX_JWT_LENGTH && isJwt(token) && this.keys.areNamedBy(token);
  }

  private async count(key: string) {
    const { isBlocked } = await this.storage.increment(key, MINUTE_MS, REQUESTS, MINUTE_MS, LIMIT);
    if (isBlocked) throw tooManyRequests(MINUTE_MS);
  }
}
