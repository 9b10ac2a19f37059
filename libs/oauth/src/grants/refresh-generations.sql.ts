import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { databaseNow, runSql } from '#libs/database';
import { removeReplacedTokens } from './replaced-tokens.sql.js';
import type { TokenEntity } from './token.entity.js';

/**
 * For so long unused siblings of one generation stay good after the first of them was used, and an
 * older token after an access token of a later generation was used.
 */
const GRACE_MS = 60 * 1000;

type Presented = Pick<TokenEntity, 'idHash' | 'grantId' | 'generation'>;

/**
 * Which refresh tokens may still be used. A token of generation n is good until a later generation
 * was used: an answer that got lost, or several refreshes at once, disconnect nobody. A stolen token
 * is found out at the latest in its second generation (OAuth 2.1 §4.3.1, refresh-token rotation), and
 * a minute after an access token of a later generation was used, since that answer has arrived.
 */
@Injectable()
export class RefreshGenerations {
  constructor(private readonly dataSource: DataSource) {}

  async isGood(presented: Presented): Promise<boolean> {
    return this.check(this.dataSource.manager, presented);
  }

  /**
   * Marks a token as used if it is good, and false otherwise. Calls for tokens of one grant go one
   * after the other, on every replica, so that use and later use cannot overlap. The rows of tokens
   * that can never be good again are deleted; their family tells them.
   */
  async use(presented: Presented): Promise<boolean> {
    return this.dataSource.transaction(async (manager) => {
      if (!(await this.lock(manager, presented.grantId))) return false;
      if (!(await this.check(manager, presented))) return false;
      await runSql(
        manager,
        `UPDATE oauth_tokens SET consumed_at = ${this.now}
         WHERE id_hash = $1 AND consumed_at IS NULL`,
        [presented.idHash],
      );
      await removeReplacedTokens(manager, presented);
      return true;
    });
  }

  /**
   * Notes that the answer with this generation has arrived: an access token of it was used. Only the
   * first note of a generation counts, on whatever replica; one of an earlier generation changes nothing.
   */
  async noteArrival(grantId: string, generation: number): Promise<void> {
    await runSql(
      this.dataSource,
      `UPDATE oauth_grants SET arrived_generation = $1, arrived_at = ${this.now}
       WHERE id = $2 AND arrived_generation < $1`,
      [generation, grantId],
    );
  }

  /** The grace is shorter than clocks of replicas may be apart. */
  private get now() {
    return databaseNow(this.dataSource);
  }

  private async lock(manager: EntityManager, grantId: string) {
    const { affected } = await runSql(
      manager,
      'UPDATE oauth_grants SET last_used_at = $1 WHERE id = $2 AND revoked_at IS NULL',
      [Date.now(), grantId],
    );
    return affected === 1;
  }

  /** The grant knows its latest arrival only: of an earlier one a later refresh token was used anyway. */
  private async check(manager: EntityManager, presented: Presented) {
    const { idHash, grantId, generation } = presented;
    const { rows } = await runSql(
      manager,
      `SELECT MAX(CASE WHEN generation > $1 THEN 1 ELSE 0 END) AS later,
              ${this.now} - MIN(CASE WHEN generation = $1 THEN consumed_at END) AS since_first_use,
              MAX(CASE WHEN id_hash = $2 THEN consumed_at END) AS own_use,
              (SELECT ${this.now} - arrived_at FROM oauth_grants
               WHERE id = $3 AND arrived_generation > $1) AS since_arrival
       FROM oauth_tokens
       WHERE grant_id = $3 AND kind = 'RefreshToken' AND generation >= $1
         AND consumed_at IS NOT NULL`,
      [generation, idHash, grantId],
    );
    const [row = {}] = rows;
    if (Number(row['later'] ?? 0) === 1 || isOver(row['since_arrival'])) return false;
    return row['own_use'] != null || !isOver(row['since_first_use']);
  }
}

/** Whether the grace is over that began so many milliseconds ago; null when it has not begun. */
const isOver = (sinceMs: unknown) => sinceMs != null && Number(sinceMs) >= GRACE_MS;
