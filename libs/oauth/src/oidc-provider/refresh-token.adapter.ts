import { type AdapterPayload, errors } from 'oidc-provider';
import type { TokenEntity } from '../grants/token.entity.js';
import { TokenAdapter, type TokenAdapterParts } from './token.adapter.js';

/** Refresh tokens under the generation rule; a token that is not good any more revokes its grant. */
export class RefreshTokenAdapter extends TokenAdapter {
  constructor(parts: TokenAdapterParts) {
    super('RefreshToken', parts);
  }

  override async consume(id: string) {
    const found = await this.stored(id);
    if (!found) throw new errors.InvalidGrant('the grant is not active');
    if (await this.tokens.generations.use(found)) return;
    await this.revokeByGrantId(found.grantId);
    await this.parts.replays.report(found.grantId);
    throw new errors.InvalidGrant('refresh token already replaced');
  }

  protected override async present(found: TokenEntity, payload: AdapterPayload) {
    return (await this.tokens.generations.isGood(found)) ? payload : { ...payload, consumed: true };
  }
}
