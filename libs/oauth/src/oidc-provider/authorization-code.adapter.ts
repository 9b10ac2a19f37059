import { type AdapterPayload, errors } from 'oidc-provider';
import type { TokenEntity } from '../grants/token.entity.js';
import { TokenAdapter, type TokenAdapterParts } from './token.adapter.js';

/** Authorization codes, used once. */
export class AuthorizationCodeAdapter extends TokenAdapter {
  constructor(parts: TokenAdapterParts) {
    super('AuthorizationCode', parts);
  }

  /** The library does not look whether it was first, so this throws InvalidGrant when it was not. */
  override async consume(id: string) {
    if (!(await this.parts.replays.useCode(id))) throw new errors.InvalidGrant('code already used');
  }

  protected override async present(found: TokenEntity, payload: AdapterPayload) {
    const usability = await this.parts.replays.usabilityOfCode(found);
    if (usability === 'in-use') return undefined;
    return usability === 'replayed' ? { ...payload, consumed: true } : payload;
  }
}
