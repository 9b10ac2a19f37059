import type { AdapterPayload } from 'oidc-provider';
import { resourceOf } from '../grant/grant.js';
import { type GrantRevocationParts, revokeGrant } from './grant-revocation.adapter.js';
import { NullAdapter } from './null.adapter.js';
import { redemptionOfCall } from './provider-call.adapter.js';

/** Grants of one origin as the library reads them; consents create them, the library never does. */
export class GrantAdapter extends NullAdapter {
  constructor(
    private readonly parts: GrantRevocationParts,
    private readonly origin: string,
  ) {
    super();
  }

  override async find(id: string): Promise<AdapterPayload | undefined> {
    const grant = await this.active(id);
    if (grant?.origin !== this.origin) return undefined;
    return {
      kind: 'Grant',
      jti: id,
      accountId: grant.userId,
      clientId: grant.clientId,
      resources: { [resourceOf(this.origin)]: grant.scope },
      iat: Math.floor(grant.createdAt / 1000),
      exp: Math.ceil(grant.expiresAt / 1000),
    };
  }

  private async active(id: string) {
    const presented = redemptionOfCall()?.presented.grant;
    if (presented?.id !== id) return this.parts.grants.findActive(id);
    return presented.revokedAt === null && presented.expiresAt > Date.now() ? presented : undefined;
  }

  override async destroy(id: string) {
    await revokeGrant(this.parts, id);
  }
}
