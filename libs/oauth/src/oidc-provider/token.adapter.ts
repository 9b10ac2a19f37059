import { type AdapterPayload, errors, Provider } from 'oidc-provider';
import {
  isOf,
  type NewToken,
  type PresentedToken,
  type SqlTokenStore,
} from '../token/token.store.js';
import type { TokenKind } from '../token/token.entity.js';
import { type GrantRevocationParts, revokeGrant } from './grant-revocation.adapter.js';
import { NullAdapter } from './null.adapter.js';
import { redemptionOfCall } from './provider-call.adapter.js';

export interface TokenAdapterParts extends GrantRevocationParts {
  readonly tokens: SqlTokenStore;
  readonly origin: string;
}

/** The stored form of the library's payload. */
export function newToken(
  kind: TokenKind,
  value: string,
  payload: AdapterPayload,
  generation: number,
): NewToken {
  const { jti: _jti, grantId = '', rotations: _rotations, exp = 0, ...rest } = payload;
  const stored = { ...rest, grantId, exp };
  return { kind, value, grantId, generation, payload: stored, expiresAt: exp * 1000 };
}

/** Access tokens of one origin; base class of the adapters for codes and refresh tokens. */
export class TokenAdapter extends NullAdapter {
  constructor(
    private readonly kind: TokenKind,
    protected readonly parts: TokenAdapterParts,
  ) {
    super();
  }

  /** Adds the token to the redemption, else stores it at once. Throws InvalidGrant when the grant is not active. */
  override async upsert(id: string, payload: AdapterPayload) {
    const token = newToken(this.kind, id, payload, this.generationOf(payload));
    const redemption = redemptionOfCall();
    if (redemption) return redemption.give(token);
    if (await this.parts.tokens.insert(token)) return;
    throw new errors.InvalidGrant('the grant is not active');
  }

  override async find(id: string): Promise<AdapterPayload | undefined> {
    const found = await this.stored(id);
    if (!found) return undefined;
    const payload: AdapterPayload = { ...found.payload, jti: id, rotations: found.generation };
    return this.present(found, payload);
  }

  /** Throws InvalidGrant for a code or token that this request does not redeem. */
  override async consume(id: string) {
    if (!redemptionOfCall()?.use(id)) throw new errors.InvalidGrant('not what was presented');
  }

  override async destroy(id: string) {
    await this.parts.tokens.remove(id);
  }

  override async revokeByGrantId(grantId: string) {
    await revokeGrant(this.parts, grantId);
  }

  /** An access token has the generation of the refresh token that is issued with it. */
  private generationOf({ rotations }: AdapterPayload): number {
    if (this.kind !== 'AccessToken') return Number(rotations ?? 0);
    return Provider.ctx?.oidc.entities.RefreshToken?.rotations ?? 0;
  }

  private async stored(id: string): Promise<PresentedToken | undefined> {
    const { tokens, origin } = this.parts;
    const presented = redemptionOfCall()?.presented;
    if (presented?.value === id && isOf(presented, this.kind, origin)) return presented;
    return tokens.find(id, this.kind, origin);
  }

  /** A stored token as the library sees it; `consumed` makes the library revoke the grant. */
  protected present(_found: PresentedToken, payload: AdapterPayload): AdapterPayload | undefined {
    return payload;
  }
}
