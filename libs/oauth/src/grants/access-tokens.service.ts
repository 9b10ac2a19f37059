import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { hashSecret, type User } from '#libs/accounts';
import { OutageLog } from '#libs/database';
import { scopeWords } from '../scopes/scope.js';
import { GrantEntity } from './grant.entity.js';
import { RefreshGenerations } from './refresh-generations.sql.js';
import { TokenEntity } from './token.entity.js';

/** What a valid access token stands for. */
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

/** Neither the client nor the host it is redirected to is kept out. */
const NOT_BLOCKED = `NOT EXISTS (
  SELECT 1 FROM oauth_blocks WHERE (kind = 'client' AND value = grant.clientId)
     OR (kind = 'redirect-host' AND value = grant.redirectHost))`;

@Injectable()
export class AccessTokensService {
  private readonly outage = new OutageLog(new Logger(AccessTokensService.name));

  constructor(
    private readonly dataSource: DataSource,
    private readonly generations: RefreshGenerations,
  ) {}

  /**
   * The grant behind an access token that is good for a resource. Undefined when the token is unknown,
   * expired or for another resource, its grant was revoked or has expired, its user is disabled or its client blocked. One look-up, and for the
   * first use of a generation one write; where that fails the token is good all the same.
   */
  async accept(token: string, resource: string): Promise<AccessGrant | undefined> {
    const found = await this.find(token);
    if (!found) return undefined;
    const grant = toAccessGrant(found);
    if (grant.audience !== resource) return undefined;
    if (found.generation > found.grant.arrivedGeneration) await this.noteArrival(found);
    return grant;
  }

  /** Whether a grant has not ended, its user is not disabled and its client not blocked. */
  async isActive(grantId: string): Promise<boolean> {
    return this.dataSource
      .createQueryBuilder(GrantEntity, 'grant')
      .innerJoin('grant.user', 'user')
      .where('grant.id = :grantId AND grant.revokedAt IS NULL', { grantId })
      .andWhere('grant.expiresAt > :now AND user.disabledAt IS NULL', { now: Date.now() })
      .andWhere(NOT_BLOCKED)
      .getExists();
  }

  /** One statement that joins token, grant and user. */
  private async find(token: string): Promise<TokenEntity | undefined> {
    const now = Date.now();
    const found = await this.dataSource
      .createQueryBuilder(TokenEntity, 'token')
      .innerJoinAndSelect('token.grant', 'grant')
      .innerJoinAndSelect('grant.user', 'user')
      .where('token.idHash = :idHash', { idHash: hashSecret(token) })
      .andWhere('token.kind = :kind', { kind: 'AccessToken' })
      .andWhere('grant.revokedAt IS NULL AND user.disabledAt IS NULL')
      .andWhere(NOT_BLOCKED)
      .getOne();
    if (!found || found.expiresAt <= now || found.grant.expiresAt <= now) return undefined;
    return found;
  }

  private async noteArrival({ grantId, generation }: TokenEntity): Promise<void> {
    try {
      await this.generations.noteArrival(grantId, generation);
      this.outage.end('first uses of access tokens are noted again');
    } catch (error) {
      this.outage.begin(`first uses of access tokens are not noted: ${String(error)}`);
    }
  }
}

function toAccessGrant({
  payload,
  grant: { id, clientId, app, user, expiresAt },
}: TokenEntity): AccessGrant {
  const { aud, scope } = payload as { aud?: unknown; scope?: string };
  return {
    grantId: id,
    clientId,
    user: { id: user.id, displayName: user.displayName },
    app,
    audience: typeof aud === 'string' ? aud : '',
    scopes: scopeWords(scope),
    endsAt: expiresAt,
  };
}
