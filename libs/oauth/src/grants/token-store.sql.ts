import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { hashSecret } from '#libs/accounts';
import { PreparedStatement } from '#libs/platform';
import { findPresentedToken, isOf, type PresentedToken } from './presented-token.sql.js';
import { familyOf } from './refresh-token-family.js';
import { GrantEntity } from './grant.entity.js';
import { TokenEntity, type TokenKind } from './token.entity.js';

export interface NewToken {
  /** The token or code itself. */
  readonly value: string;
  readonly kind: TokenKind;
  readonly grantId: string;
  readonly generation: number;
  readonly payload: Record<string, unknown>;
  readonly expiresAt: number;
}

const INSERT = new PreparedStatement(
  'insert-token',
  ({ forShare }) => `
    INSERT INTO oauth_tokens (id_hash, kind, grant_id, generation, payload, created_at, expires_at)
    SELECT $1, $2, id, CAST($3 AS integer), $4, CAST($5 AS bigint), CAST($6 AS bigint)
    FROM oauth_grants WHERE id = $7 AND revoked_at IS NULL AND expires_at > $5 ${forShare}`,
);

/**
 * Stores tokens and codes by their hashes. Used codes stay until they would have expired, refresh tokens
 * until a later generation is used. After that their family identifies them, so that a replay is detected
 * however often a thief has refreshed since.
 */
@Injectable()
export class SqlTokenStore {
  constructor(private readonly dataSource: DataSource) {}

  /** Stores a token if its grant is active, in one statement; false when the grant is not. */
  async insert({
    value,
    kind,
    grantId,
    generation,
    payload,
    expiresAt,
  }: NewToken): Promise<boolean> {
    const now = Date.now();
    const { affected } = await INSERT.run(this.dataSource, [
      hashSecret(value),
      kind,
      generation,
      JSON.stringify(payload),
      now,
      expiresAt,
      grantId,
    ]);
    return affected === 1;
  }

  /** The token of an active grant on this origin, used or not, expired or not. */
  async find(value: string, kind: TokenKind, origin: string): Promise<PresentedToken | undefined> {
    const found = await findPresentedToken(this.dataSource, value);
    return found && isOf(found, kind, origin) ? found : undefined;
  }

  /**
   * Whether a token or code was issued to a client, on any origin, used or not, ended or not. A refresh
   * token whose row is deleted is found by its family.
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

  /** The latest refresh token of the token's family, if its grant is active and belongs to this origin. */
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

  async remove(token: string): Promise<void> {
    await this.dataSource.manager.delete(TokenEntity, { idHash: hashSecret(token) });
  }
}
