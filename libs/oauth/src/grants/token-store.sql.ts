import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { hashSecret } from '#libs/accounts';
import { runSql } from '#libs/database';
import { OAUTH_OPTIONS, type OAuthOptions } from '../oauth.module-definition.js';
import { familyOf } from './refresh-token-family.js';
import { GrantEntity } from './grant.entity.js';
import { TokenEntity, type TokenKind } from './token.entity.js';

/** An age that no grant reaches. */
const NEVER_MS = 1e15;

export interface NewToken {
  readonly kind: TokenKind;
  readonly grantId: string;
  readonly generation: number;
  readonly payload: Record<string, unknown>;
  readonly expiresAt: number;
}

/**
 * Tokens and codes at rest, by their hashes. Used codes stay until they would have expired, refresh
 * tokens until a later generation was used: from then on their family tells them, so that a replay
 * is noticed however often a thief has refreshed meanwhile.
 */
@Injectable()
export class SqlTokenStore {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(OAUTH_OPTIONS) private readonly options: Pick<OAuthOptions, 'grantMaxAgeMs'>,
  ) {}

  /**
   * Stores a token while its grant is active, in one statement; false when the grant is not. A new
   * refresh token also starts the grant's idle lifetime again, within its greatest age; the first
   * one of a grant makes it the family of all of them.
   */
  async insert(token: string, stored: NewToken): Promise<boolean> {
    if (stored.kind !== 'RefreshToken') {
      return this.insertWhileActive(this.dataSource.manager, token, stored);
    }
    return this.dataSource.transaction(async (manager) => {
      if (!(await this.prolong(manager, token, stored))) return false;
      return this.insertWhileActive(manager, token, stored);
    });
  }

  /** The token of an active grant on this origin, used or not, expired or not. */
  async find(token: string, kind: TokenKind, origin: string): Promise<TokenEntity | undefined> {
    const found = await this.dataSource
      .createQueryBuilder(TokenEntity, 'token')
      .innerJoin('token.grant', 'grant')
      .where('token.idHash = :idHash AND token.kind = :kind', { idHash: hashSecret(token), kind })
      .andWhere('grant.origin = :origin AND grant.revokedAt IS NULL', { origin })
      .getOne();
    return found ?? undefined;
  }

  /**
   * Whether a token or code was given to a client, on whatever origin, used or not, ended or not; a
   * refresh token whose row is gone is known by its family.
   */
  async wasGivenTo(clientId: string, token: string): Promise<boolean> {
    const familyHash = hashSecret(familyOf(token));
    if (await this.dataSource.manager.existsBy(GrantEntity, { familyHash, clientId })) return true;
    return this.dataSource
      .createQueryBuilder(TokenEntity, 'token')
      .innerJoin('token.grant', 'grant')
      .where('token.idHash = :idHash', { idHash: hashSecret(token) })
      .andWhere('grant.clientId = :clientId', { clientId })
      .getExists();
  }

  /** The latest refresh token of the active grant on this origin whose family the token is of. */
  async findSuccessor(refreshToken: string, origin: string): Promise<TokenEntity | undefined> {
    const familyHash = hashSecret(familyOf(refreshToken));
    const found = await this.dataSource
      .createQueryBuilder(TokenEntity, 'token')
      .innerJoin('token.grant', 'grant')
      .where('grant.familyHash = :familyHash AND grant.origin = :origin', { familyHash, origin })
      .andWhere('grant.revokedAt IS NULL AND grant.expiresAt > :now', { now: Date.now() })
      .andWhere('token.kind = :kind', { kind: 'RefreshToken' })
      .orderBy('token.generation', 'DESC')
      .limit(1)
      .getOne();
    return found ?? undefined;
  }

  /** Marks a code as used; of concurrent calls exactly one gets true. */
  async consumeOnce(token: string): Promise<boolean> {
    const { affected } = await runSql(
      this.dataSource,
      'UPDATE oauth_tokens SET consumed_at = $1 WHERE id_hash = $2 AND consumed_at IS NULL',
      [Date.now(), hashSecret(token)],
    );
    return affected === 1;
  }

  /** Whether the grant has any refresh token, which a code exchange stores last. */
  async hasRefreshToken(grantId: string): Promise<boolean> {
    return this.dataSource.manager.existsBy(TokenEntity, { grantId, kind: 'RefreshToken' });
  }

  async remove(token: string): Promise<void> {
    await this.dataSource.manager.delete(TokenEntity, { idHash: hashSecret(token) });
  }

  private async insertWhileActive(manager: EntityManager, token: string, stored: NewToken) {
    const now = Date.now();
    const locked = this.dataSource.options.type === 'postgres' ? 'FOR SHARE' : '';
    const { affected } = await runSql(
      manager,
      `INSERT INTO oauth_tokens
         (id_hash, kind, grant_id, generation, payload, created_at, expires_at, consumed_at)
       SELECT $1, $2, id, CAST($3 AS integer), $4, CAST($5 AS bigint), CAST($6 AS bigint), NULL
       FROM oauth_grants WHERE id = $7 AND revoked_at IS NULL AND expires_at > $8 ${locked}`,
      [
        hashSecret(token),
        stored.kind,
        stored.generation,
        JSON.stringify(stored.payload),
        now,
        stored.expiresAt,
        stored.grantId,
        now,
      ],
    );
    return affected === 1;
  }

  private async prolong(manager: EntityManager, token: string, stored: NewToken) {
    const { grantId, generation, expiresAt } = stored;
    const { grantMaxAgeMs = NEVER_MS } = this.options;
    const { affected } = await runSql(
      manager,
      `UPDATE oauth_grants
       SET expires_at = CASE WHEN created_at + $1 < $2 THEN created_at + $1 ELSE $2 END,
           last_used_at = $3, family_hash = COALESCE(family_hash, CAST($4 AS varchar(43)))
       WHERE id = $5 AND revoked_at IS NULL AND expires_at > $3`,
      [
        grantMaxAgeMs,
        expiresAt,
        Date.now(),
        generation === 0 ? hashSecret(familyOf(token)) : null,
        grantId,
      ],
    );
    return affected === 1;
  }
}
