import type { AdapterPayload } from 'oidc-provider';
import type { PresentedToken } from '../token/token.store.js';
import { TokenAdapter, type TokenAdapterParts } from './token.adapter.js';

/** Refresh tokens; the redemption uses them by the generation rule. */
export class RefreshTokenAdapter extends TokenAdapter {
  constructor(parts: TokenAdapterParts) {
    super('RefreshToken', parts);
  }

  override async find(id: string): Promise<AdapterPayload | undefined> {
    return (await super.find(id)) ?? this.findReplaced(id);
  }

  /** A replaced token whose row was deleted, in the form that the library would see with its row. */
  private async findReplaced(id: string): Promise<AdapterPayload | undefined> {
    const successor = await this.parts.tokens.findSuccessor(id, this.parts.origin);
    return successor && { ...successor.payload, jti: id, consumed: true };
  }

  protected override present(found: PresentedToken, payload: AdapterPayload) {
    const usability = this.parts.replays.usabilityOf(found);
    return usability === 'replayed' ? { ...payload, consumed: true } : payload;
  }
}
