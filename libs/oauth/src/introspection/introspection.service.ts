import { Inject, Injectable } from '@nestjs/common';
import { getStorageToken, type ThrottlerStorage } from '@nestjs/throttler';
import { tooManyRequests } from '#libs/accounts';
import { epochSeconds } from '#libs/platform';
import type { Resource } from '../resource/resource.js';
import { SigningKeysService } from '../signing/signing-keys.service.js';
import { BearerTokensService } from '../token/bearer-tokens.service.js';
import { isJwt, isOpaque, MAX_JWT_LENGTH } from '../token/token.js';

const INACTIVE = { active: false } as const;

const MINUTE_MS = 60_000;

/** Per resource server and minute: of texts that have the form of our tokens, and again as many of others. */
const REQUESTS = 6000;

/** What a resource server gets to know of a token (RFC 7662 §2.2); times in epoch seconds. */
@Injectable()
export class IntrospectionService {
  constructor(
    private readonly tokens: BearerTokensService,
    private readonly keys: SigningKeysService,
    @Inject(getStorageToken()) private readonly storage: ThrottlerStorage,
  ) {}

  /**
   * Tells of an access token of this issuer for the resource that is good now, which counts as its use; of all else
   * only that it is not active (§2.2, §4). A JWT needs a signature by a published key, then its grant decides. A text
   * without our form counts apart and is not looked up: strangers who send such must not use up the limit. Throws
   * RefusalError 429.
   */
  async introspect(token: string, { resource: audience, introspection }: Resource, issuer: string) {
    const target = { issuer, audience };
    const hasOurForm = isOpaque(token) || this.isOurJwt(token);
    await this.count(`introspection:${introspection?.clientId}${hasOurForm ? '' : ':other'}`);
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
    const { isBlocked } = await this.storage.increment(
      key,
      MINUTE_MS,
      REQUESTS,
      MINUTE_MS,
      'introspection',
    );
    if (isBlocked) throw tooManyRequests(MINUTE_MS);
  }
}
