import { Injectable } from '@nestjs/common';
import { epochSeconds } from '#libs/platform';
import type { Resource } from '../resource/resource.js';
import { SigningKeysService } from '../signing/signing-keys.service.js';
import { BearerTokensService } from '../token/bearer-tokens.service.js';
import { isJwt } from '../token/token.js';

const INACTIVE = { active: false } as const;

/** What a resource server is told of a token (RFC 7662 §2.2); times in epoch seconds. */
@Injectable()
export class IntrospectionService {
  constructor(
    private readonly tokens: BearerTokensService,
    private readonly keys: SigningKeysService,
  ) {}

  /**
   * Tells of an access token that this issuer issued for the resource and that is good now; an answer that it is
   * counts as its use. Of anything else, such as a refresh token, it tells only that it is not active (§2.2, §4). A
   * JWT needs a signature by a key that is still published; then its grant decides, as for any other token. A machine
   * is the subject of its tokens and has no name.
   */
  async introspect(token: string, { resource: audience }: Resource, issuer: string) {
    const target = { issuer, audience };
    if (isJwt(token) && !(await this.keys.verifies(token, target))) return INACTIVE;
    const accepted = await this.tokens.accept(token, target);
    if (!accepted) return INACTIVE;
    const { grant, issuedAt, expiresAt } = accepted;
    return {
      active: true,
      scope: grant.scopes.join(' '),
      client_id: grant.clientId,
      sub: grant.user?.id ?? grant.clientId,
      aud: audience,
      iss: issuer,
      exp: epochSeconds(expiresAt),
      iat: issuedAt,
      token_type: 'Bearer',
      ...(grant.user ? { username: grant.user.displayName } : {}),
    };
  }
}
