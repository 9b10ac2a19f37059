import { Injectable } from '@nestjs/common';
import { DataSource, IsNull, MoreThan } from 'typeorm';
import {
  expiredRows,
  type ListPage,
  type PageRequest,
  PreparedStatement,
  readNewestFirst,
} from '#libs/platform';
import { grantBlocked } from '../client/client-block.store.js';
import { ConsentEntity } from '../consent/consent.entity.js';
import { GrantEntity } from './grant.entity.js';

const MAX_LISTED = 100;
const BATCH = 500;

const IS_USABLE = new PreparedStatement(
  'grant-is-active',
  (dialect) => `
   SELECT 1 FROM oauth_grants g JOIN users u ON u.id = g.user_id
   WHERE g.id = $1 AND g.revoked_at IS NULL AND g.expires_at > $2
     AND u.disabled_at IS NULL AND NOT ${grantBlocked(dialect)}`,
);

const NOTE_ARRIVAL = new PreparedStatement(
  'note-arrival',
  ({ now }) => `
    UPDATE oauth_grants SET arrived_generation = $1, arrived_at = ${now}
    WHERE id = $2 AND arrived_generation < $1`,
);

/** Locks grants in id order, so that replicas wait for each other and cannot deadlock. */
const SHORTEN = new PreparedStatement(
  'shorten-grants',
  ({ forUpdate }) => `
    UPDATE oauth_grants SET expires_at = created_at + $1, sweep_due_at = 0
    WHERE id IN (SELECT id FROM oauth_grants
                 WHERE id > $2 AND id <= $3 AND expires_at > created_at + $1
                 ORDER BY id ${forUpdate})`,
);

const KEYS = {
  postgres: 'SELECT json_array_elements_text(CAST($1 AS json))',
  sqlite: 'SELECT value FROM json_each($1) AS keys',
};

/** Skips locked rows until the next round: if the sweeper waited for them, others would wait for the sweeper. */
const PUT_OFF = new PreparedStatement(
  'put-off-grants',
  ({ type }) => `
    UPDATE oauth_grants SET sweep_due_at = expires_at
    WHERE id IN (SELECT id FROM oauth_grants WHERE id IN (${KEYS[type]})
                 ${type === 'postgres' ? 'FOR NO KEY UPDATE SKIP LOCKED' : ''})`,
);

/** A revoked grant stays until it would have expired; its tokens go with it. */
export const expiredGrants = expiredRows(GrantEntity, 'id', {
  dueAt: 'sweepDueAt',
  putOff: PUT_OFF,
});

/** A grant that was not revoked and has not expired. */
export const activeGrants = () => ({ revokedAt: IsNull(), expiresAt: MoreThan(Date.now()) });

/** The apps that users connected. Consents create grants, redemptions extend them. */
@Injectable()
export class GrantStore {
  constructor(private readonly dataSource: DataSource) {}

  /** A grant, active or not. Throws EntityNotFoundError. */
  async get(id: string): Promise<GrantEntity> {
    return this.dataSource.manager.findOneByOrFail(GrantEntity, { id });
  }

  async findActive(id: string): Promise<GrantEntity | undefined> {
    const found = await this.dataSource.manager.findOneBy(GrantEntity, { id, ...activeGrants() });
    return found ?? undefined;
  }

  /** Whether a grant is active, its user is enabled and its client is not blocked. */
  async isUsable(id: string): Promise<boolean> {
    return (await IS_USABLE.run(this.dataSource, [id, Date.now()])).rows.length === 1;
  }

  /** A user's active grants, newest first, 100 at most. */
  async listOf(userId: string): Promise<GrantEntity[]> {
    return this.dataSource.manager.find(GrantEntity, {
      where: { userId, ...activeGrants() },
      order: { createdAt: 'DESC', id: 'ASC' },
      take: MAX_LISTED,
    });
  }

  /** A page of a user's active grants, newest first. @throws UnknownPageError */
  async page(userId: string, page: PageRequest): Promise<ListPage<GrantEntity>> {
    const query = this.dataSource
      .createQueryBuilder(GrantEntity, 'app')
      .where({ userId, ...activeGrants() });
    return readNewestFirst(query, page, 'createdAt');
  }

  /**
   * Ends the grant in one update and with it, on every replica, all its tokens and its code.
   * False when it was not active. Of concurrent calls exactly one returns true.
   */
  async revoke(id: string): Promise<boolean> {
    const change = { revokedAt: Date.now() };
    const ended = await this.dataSource.manager.update(
      GrantEntity,
      { id, ...activeGrants() },
      change,
    );
    return ended.affected === 1;
  }

  /** Disconnects the app: ends the grant and deletes the user's unanswered consents for the client. */
  async disconnect({ id, userId, clientId }: GrantEntity): Promise<boolean> {
    await this.dataSource.manager.delete(ConsentEntity, { userId, clientId });
    return this.revoke(id);
  }

  /**
   * Records that the response with this generation reached the client: an access token of it was used. Only
   * the first call for a generation counts, across all replicas; an earlier generation changes nothing.
   */
  async noteArrival(id: string, generation: number): Promise<void> {
    await NOTE_ARRIVAL.run(this.dataSource, [generation, id]);
  }

  /**
   * Applies a greatest age to existing grants and returns how many end earlier now. Walks over the table once, in
   * small batches, so that no statement blocks another replica for long. Safe on several replicas at once.
   */
  async limitAge(maxAgeMs: number): Promise<number> {
    let count = 0;
    let after = '';
    for (;;) {
      const rows = await this.dataSource.query<{ id: string }[]>(
        `SELECT id FROM oauth_grants WHERE id > $1 AND expires_at > created_at + $2
         ORDER BY id LIMIT ${BATCH}`,
        [after, maxAgeMs],
      );
      const upTo = rows.at(-1)?.id;
      if (upTo === undefined) return count;
      count += (await SHORTEN.run(this.dataSource, [maxAgeMs, after, upTo])).affected;
      after = upTo;
    }
  }
}
