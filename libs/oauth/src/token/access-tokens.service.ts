import { Injectable, Logger } from '@nestjs/common';
import { OutageLog } from '#libs/platform';
import { GrantStore } from '../grant/grant.store.js';
import type { AccessGrant, StoredAccessToken } from './token.js';
import { TokenStore } from './token.store.js';

/** The access tokens that requests to the protected resource present. */
@Injectable()
export class AccessTokensService {
  private readonly outage = new OutageLog(new Logger(AccessTokensService.name));

  constructor(
    private readonly tokens: TokenStore,
    private readonly grants: GrantStore,
  ) {}

  /**
   * The grant behind an access token that is valid for a resource. Undefined when the token is unknown,
   * expired or for another resource, its grant was revoked or has expired, its user is disabled or its client
   * blocked. Takes one look-up and, on the first use of a generation, one write; the token is valid even if
   * that write fails.
   */
  async accept(token: string, resource: string): Promise<AccessGrant | undefined> {
    const found = await this.tokens.findAccessToken(token);
    const now = Date.now();
    if (!found || found.expiresAt <= now || found.grant.endsAt <= now) return undefined;
    if (found.grant.audience !== resource) return undefined;
    if (found.generation > found.arrivedGeneration) await this.noteArrival(found);
    return found.grant;
  }

  private async noteArrival({ grant, generation }: StoredAccessToken): Promise<void> {
    await this.outage.watch(
      () => this.grants.noteArrival(grant.grantId, generation),
      'first uses of access tokens are not noted',
      'first uses of access tokens are noted again',
    );
  }
}
