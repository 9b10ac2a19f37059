import type { AdapterPayload } from 'oidc-provider';
import { resourceOf } from '../grants/grant.js';
import type { GrantsService } from '../grants/grants.service.js';
import { NullAdapter } from './null.adapter.js';

/** Grants of one origin as the library reads them; they are begun by consents, never by it. */
export class GrantAdapter extends NullAdapter {
  constructor(
    private readonly grants: GrantsService,
    private readonly origin: string,
  ) {
    super();
  }

  override async find(id: string): Promise<AdapterPayload | undefined> {
    const grant = await this.grants.findActive(id);
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

  override async destroy(id: string) {
    await this.grants.revoke(id);
  }
}
