import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { hashSecret, type User } from '#libs/accounts';
import { OutageLog } from '#libs/platform';
import { scopeWords } from '../scope.js';
import { Arrivals, findAccessToken, isGrantActive, type StoredAccessToken } from './token.store.js';

/** What a valid access token grants, to whom and for which resource. */
export interface AccessGrant {
  readonly grantId: string;
  readonly clientId: string;
  readonly user: User;
  /** The app's name, as its user saw it. */
  readonly app: string;
  /** The only resource the token is good for. */
  readonly audience: string;
  readonly scopes: readonly string[];
  /** When the grant ends unless it is refreshed before, in epoch milliseconds. */
  readonly endsAt: number;
}

@Injectable()
export class AccessTokensService {
  private readonly outage = new OutageLog(new Logger(AccessTokensService.name));

  constructor(
    private readonly dataSource: DataSource,
    private readonly arrivals: Arrivals,
  ) {}

  /**
   * The grant behind an access token that is valid for a resource. Undefined when the token is unknown,
   * expired or for another resource, its grant was revoked or has expired, its user is disabled or its client
   * blocked. Takes one look-up and, on the first use of a generation, one write; the token is valid even if
   * that write fails.
   */
  async accept(token: string, resource: string): Promise<AccessGrant | undefined> {
    const found = await this.find(token);
    if (!found) return undefined;
    const grant = toAccessGrant(found);
    if (grant.audience !== resource) return undefined;
    if (found.generation > found.grant.arrivedGeneration) await this.noteArrival(found);
    return grant;
  }

  /** Whether a grant has not ended, its user is enabled and its client is not blocked. */
  async isActive(grantId: string): Promise<boolean> {
    return isGrantActive(this.dataSource, grantId);
  }

  private async find(token: string): Promise<StoredAccessToken | undefined> {
    const now = Date.now();
    const found = await findAccessToken(this.dataSource, hashSecret(token));
    if (!found || found.expiresAt <= now || found.grant.expiresAt <= now) return undefined;
    return found;
  }

  private async noteArrival({ grant, generation }: StoredAccessToken): Promise<void> {
    try {
      await this.arrivals.note(grant.id, generation);
      this.outage.end('first uses of access tokens are noted again');
    } catch (error) {
      this.outage.begin(`first uses of access tokens are not noted: ${String(error)}`);
    }
  }
}

const toAccessGrant = ({ payload, user, grant }: StoredAccessToken): AccessGrant => ({
  grantId: grant.id,
  clientId: grant.clientId,
  user,
  app: grant.app,
  audience: typeof payload.aud === 'string' ? payload.aud : '',
  scopes: scopeWords(payload.scope),
  endsAt: grant.expiresAt,
});
