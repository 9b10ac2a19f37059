import { type AdapterPayload, errors } from 'oidc-provider';
import type { TokenEntity } from '../grants/token.entity.js';
import { TokenAdapter, type TokenAdapterParts } from './token.adapter.js';

/** Refresh tokens, used under the generation rule. */
export class RefreshTokenAdapter extends TokenAdapter {
  constructor(parts: TokenAdapterParts) {
    super('RefreshToken', parts);
  }

  override async find(id: string): Promise<AdapterPayload | undefined> {
    return (await super.find(id)) ?? this.findReplaced(id);
  }

  /** Throws InvalidGrant when the token was replaced, or its grant revoked, since it was found. */
  override async consume(id: string) {
    const { replays, tokens, origin } = this.parts;
    const found = await this.stored(id);
    if (found && (await replays.useRefreshToken(found))) return;
    const successor = found ? undefined : await tokens.findSuccessor(id, origin);
    if (successor) await replays.endReplayed(successor.grantId);
    throw new errors.InvalidGrant('refresh token already replaced, or the grant is not active');
  }

  /** One whose row was deleted when it was replaced, as the library would see it with its row. */
  private async findReplaced(id: string): Promise<AdapterPayload | undefined> {
    const successor = await this.parts.tokens.findSuccessor(id, this.parts.origin);
    return successor && { ...successor.payload, jti: id, consumed: true };
  }

  protected override async present(found: TokenEntity, payload: AdapterPayload) {
    const usability = await this.parts.replays.usabilityOfRefreshToken(found);
    return usability === 'replayed' ? { ...payload, consumed: true } : payload;
  }
}
