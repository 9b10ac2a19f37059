import { type AdapterPayload, errors } from 'oidc-provider';
import type { TokenEntity } from '../grants/token.entity.js';
import { TokenAdapter, type TokenAdapterParts } from './token.adapter.js';

/** Refresh tokens, used under the generation rule. */
export class RefreshTokenAdapter extends TokenAdapter {
  constructor(parts: TokenAdapterParts) {
    super('RefreshToken', parts);
  }

  /** Throws InvalidGrant when the token was replaced, or its grant revoked, since it was found. */
  override async consume(id: string) {
    const found = await this.stored(id);
    if (!found) throw new errors.InvalidGrant('the grant is not active');
    if (await this.parts.replays.useRefreshToken(found)) return;
    throw new errors.InvalidGrant('refresh token already replaced');
  }

  protected override async present(found: TokenEntity, payload: AdapterPayload) {
    const usability = await this.parts.replays.usabilityOfRefreshToken(found);
    return usability === 'replayed' ? { ...payload, consumed: true } : payload;
  }
}
