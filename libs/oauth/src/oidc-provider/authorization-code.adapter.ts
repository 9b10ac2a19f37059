import { type AdapterPayload, errors } from 'oidc-provider';
import type { TokenEntity } from '../grants/token.entity.js';
import { TokenAdapter, type TokenAdapterParts } from './token.adapter.js';

/**
 * Authorization codes, used once. A second use revokes what the first one gave (RFC 6749 §4.1.2),
 * but only once that is given: of parallel exchanges exactly one succeeds, and its answer is sound.
 */
export class AuthorizationCodeAdapter extends TokenAdapter {
  constructor(parts: TokenAdapterParts) {
    super('AuthorizationCode', parts);
  }

  /** The library does not look whether it was first, so this throws InvalidGrant when it was not. */
  override async consume(id: string) {
    if (!(await this.tokens.consumeOnce(id))) throw new errors.InvalidGrant('code already used');
  }

  protected override async present({ consumedAt, grantId }: TokenEntity, payload: AdapterPayload) {
    if (consumedAt === null) return payload;
    const exchanged = await this.tokens.hasRefreshToken(grantId);
    return exchanged ? { ...payload, consumed: true } : undefined;
  }
}
