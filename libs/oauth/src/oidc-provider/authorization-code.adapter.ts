import type { AdapterPayload } from 'oidc-provider';
import type { PresentedToken } from '../token/token.store.js';
import { TokenAdapter, type TokenAdapterParts } from './token.adapter.js';

/** Authorization codes; the redemption uses each up once. */
export class AuthorizationCodeAdapter extends TokenAdapter {
  constructor(parts: TokenAdapterParts) {
    super('AuthorizationCode', parts);
  }

  protected override present(found: PresentedToken, payload: AdapterPayload) {
    const usability = this.parts.replays.usabilityOf(found);
    if (usability === 'in-use') return undefined;
    return usability === 'replayed' ? { ...payload, consumed: true } : payload;
  }
}
