import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, IsNull, MoreThan } from 'typeorm';
import {
  column,
  expiredRows,
  type ListPage,
  type PageRequest,
  PreparedStatement,
  readNewestFirst,
} from '#libs/platform';
import { grantBlocked } from '../client/client-block.store.js';
import { publishedBy } from '../client/client.js';
import { CODE_LIFETIME_MS, MAX_GRANTS_PER_CLIENT, MAX_GRANTS_PER_USER } from './grant.js';
import { GrantEntity } from './grant.entity.js';

const MAX_LISTED = 100;
const BATCH = 500;

const IS_USABLE = new PreparedStatement<'id' | 'readAt'>(
  'grant-is-active',
  (dialect) => `
   SELECT 1 FROM oauth_grants g JOIN users u ON u.id = g.user_id
   WHERE g.id = :id AND g.revoked_at IS NULL AND g.expires_at > :readAt
     AND u.disabled_at IS NULL AND NOT ${grantBlocked(dialect)}`,
);

const BY_USE = 'ORDER BY last_used_at DESC, created_at DESC, id DESC';

/** Whether the new grant is one of a trusted issuer, which never ends one that its user consented to. */
const IS_MANAGED = 'CAST(:isManaged AS boolean)';

/** The user's active grants but those whose code was not exchanged yet: these neither end others nor are ended. */
const IN_USE = `
  user_id = :userId AND revoked_at IS NULL AND expires_at > :readAt
  AND (family_hash IS NOT NULL OR managed_by IS NOT NULL OR created_at <= :readAt - ${CODE_LIFETIME_MS})`;

const IN_USE_OF_CLIENT = `
  FROM oauth_grants g
  WHERE ${IN_USE} AND client_id = :clientId AND resource IS NOT DISTINCT FROM :resource
    AND managed_by IS NULL AND NOT ${IS_MANAGED}`;

/** When the code of a grant was exchanged, by the clock of the database; the row of the code goes after ten minutes. */
const EXCHANGED_AT = `
  COALESCE((SELECT MAX(consumed_at) FROM oauth_tokens WHERE grant_id = g.id AND kind = 'AuthorizationCode'), 0)`;

/**
 * The user's own grants of the client for one resource beyond its limit, not those of trusted issuers: all but the one
 * exchanged last and the `othersKept` others used most recently. Of two exchanges at once the later call sees both, and may end
 * its own.
 */
const GRANTS_OVER_CLIENT_LIMIT = `
  SELECT id FROM (
    SELECT id ${IN_USE_OF_CLIENT} AND id <> (
      SELECT id ${IN_USE_OF_CLIENT} ORDER BY ${EXCHANGED_AT} DESC, id DESC LIMIT 1)
    ${BY_USE} LIMIT 100 OFFSET :othersKept) AS of_client`;

/**
 * The user's remaining grants beyond the limit, the new one excepted: first the longest idle of the app that has the
 * most, so that an app that connects in a loop pushes out its own. That is the one with the highest rank by use among
 * the grants of its app, a name with a redirect host.
 */
const GRANTS_OVER_USER_LIMIT = `
  SELECT id FROM (
    SELECT id, managed_by FROM (
      SELECT id, managed_by, last_used_at, created_at, ROW_NUMBER() OVER (
        PARTITION BY app, redirect_host
        ORDER BY CASE WHEN id = :grantId THEN 0 ELSE 1 END, last_used_at DESC, created_at DESC, id DESC) AS nth
      FROM oauth_grants
      WHERE ${IN_USE} AND id NOT IN (${GRANTS_OVER_CLIENT_LIMIT})) AS ranked
    WHERE id <> :grantId
    ORDER BY CASE WHEN ${IS_MANAGED} AND managed_by IS NULL THEN 0 ELSE 1 END,
      nth, last_used_at DESC, created_at DESC, id DESC
    LIMIT 100 OFFSET ${MAX_GRANTS_PER_USER - 1}) AS of_user
  WHERE managed_by IS NOT NULL OR NOT ${IS_MANAGED}`;

/** Half of the limit. */
const MANY_GRANTS = MAX_GRANTS_PER_USER / 2;

/**
 * SQL: whether the user of a grant has another one of the client, or so many that a further one may exceed the limit.
 * Of two codes that are exchanged at once, the later exchange sees both grants, which began with the consents.
 */
export const mayExceedLimits = (grant: string) => `(
  EXISTS (SELECT 1 FROM oauth_grants other
    WHERE other.user_id = ${grant}.user_id AND other.revoked_at IS NULL AND other.client_id = ${grant}.client_id
      AND other.id <> ${grant}.id)
  OR EXISTS (SELECT 1 FROM oauth_grants many
    WHERE many.user_id = ${grant}.user_id AND many.revoked_at IS NULL LIMIT 1 OFFSET ${MANY_GRANTS - 1}))`;

const GRANTS_OVER_LIMIT = `
  SELECT id FROM (${GRANTS_OVER_CLIENT_LIMIT} UNION ALL ${GRANTS_OVER_USER_LIMIT}) AS over`;

/**
 * Locks the account first and then the grants in id order, so that two concurrent calls that end several grants
 * wait for each other and cannot deadlock. Names the account in each part: with `id` alone, Postgres reads the whole
 * table if it planned the statement while the table was small.
 */
const END_SURPLUS = new PreparedStatement<
  'userId' | 'clientId' | 'readAt' | 'othersKept' | 'grantId' | 'resource' | 'isManaged'
>(
  'end-surplus-grants',
  ({ type, forShare, forUpdate }) => `
    UPDATE oauth_grants SET revoked_at = :readAt
    WHERE EXISTS (SELECT 1 FROM users WHERE id = :userId ${forShare})
      AND user_id = :userId AND revoked_at IS NULL AND id IN (${
        type === 'sqlite'
          ? GRANTS_OVER_LIMIT
          : `SELECT id FROM oauth_grants WHERE user_id = :userId AND revoked_at IS NULL AND id IN (${GRANTS_OVER_LIMIT})
             ORDER BY id ${forUpdate}`
      })
    RETURNING id`,
);

const CONFIRM_DELIVERY = new PreparedStatement<'id' | 'generation'>(
  'note-arrival',
  ({ now }) => `
    UPDATE oauth_grants SET arrived_generation = :generation, arrived_at = ${now}
    WHERE id = :id AND arrived_generation < :generation`,
);

/** Ids of grants that live longer, a batch in order. */
const FIND_LONGER = new PreparedStatement<'maxAgeMs' | 'after'>(
  'grants-that-live-longer',
  `SELECT id FROM oauth_grants WHERE id > :after AND expires_at > created_at + :maxAgeMs
   ORDER BY id LIMIT ${BATCH}`,
);

/** Locks grants in id order, so that replicas wait for each other and cannot deadlock. */
const SHORTEN = new PreparedStatement<'maxAgeMs' | 'after' | 'upTo'>(
  'shorten-grants',
  ({ forUpdate }) => `
    UPDATE oauth_grants SET expires_at = created_at + :maxAgeMs, sweep_due_at = 0
    WHERE id IN (SELECT id FROM oauth_grants
                 WHERE id > :after AND id <= :upTo AND expires_at > created_at + :maxAgeMs
                 ORDER BY id ${forUpdate})`,
);

/** Skips locked rows until the next round: if the sweeper waited for them, others would wait for the sweeper. */
const PUT_OFF = new PreparedStatement<'keys'>(
  'put-off-grants',
  ({ type, listed }) => `
    UPDATE oauth_grants SET sweep_due_at = expires_at
    WHERE id IN (SELECT id FROM oauth_grants WHERE id IN (SELECT value FROM ${listed(':keys')})
                 ${type === 'postgres' ? 'FOR NO KEY UPDATE SKIP LOCKED' : ''})`,
);

/** A revoked grant stays until it would have expired; its tokens go with it. */
export const expiredGrants = expiredRows(GrantEntity, 'id', {
  dueAt: 'sweepDueAt',
  putOff: PUT_OFF,
});

/** A grant that was not revoked and has not expired. */
export const activeGrants = () => ({ revokedAt: IsNull(), expiresAt: MoreThan(Date.now()) });

type GrantInUse = Pick<GrantEntity, 'id' | 'userId' | 'clientId' | 'resource'> & {
  readonly managedBy?: string;
};

type DisconnectionHook = (
  manager: EntityManager,
  whose: Pick<GrantEntity, 'userId' | 'clientId'>,
) => Promise<void>;

/** The apps that users connected. Consents create grants, redemptions extend them. */
@Injectable()
export class GrantStore {
  private forgetConsents: DisconnectionHook = async () => {};

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
    return (await IS_USABLE.run(this.dataSource, { id, readAt: Date.now() })).rows.length === 1;
  }

  /**
   * A user's active grants, newest first, 100 at most. Beyond these, grants whose code was not exchanged yet are left
   * out first: an app must not hide one in use behind authorizations that it does not finish.
   */
  async listOf(userId: string): Promise<GrantEntity[]> {
    const listed = await this.dataSource
      .createQueryBuilder(GrantEntity, 'app')
      .where({ userId, ...activeGrants() })
      .orderBy('CASE WHEN app.family_hash IS NULL AND app.managed_by IS NULL THEN 1 ELSE 0 END')
      .addOrderBy('app.createdAt', 'DESC')
      .addOrderBy('app.id')
      .limit(MAX_LISTED)
      .getMany();
    return listed.toSorted((a, b) => b.createdAt - a.createdAt);
  }

  /** A page of a user's active grants, newest first. @throws NotFoundException */
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

  /**
   * Enforces the limits after a grant came into use: its code was exchanged, or a trusted issuer made it. Ends the
   * grants that were idle longest: a client that registered itself has one grant per user and resource, a published
   * client up to 20, and a user up to 100 in all, where the app with the most of them loses one first. A managed
   * grant ends managed ones alone, and one whose code is not exchanged is not ended. It is a separate statement after
   * the exchange: two concurrent ones do not see each other, but the later of the two calls to this method sees both.
   * Returns the ids of the grants that this call ended.
   */
  async endSurplus(
    { id, userId, clientId, resource, managedBy }: GrantInUse,
    on: DataSource | EntityManager = this.dataSource,
  ): Promise<string[]> {
    const { rows } = await END_SURPLUS.run(on, {
      userId,
      clientId,
      readAt: Date.now(),
      othersKept: publishedBy(clientId) === null ? 0 : MAX_GRANTS_PER_CLIENT - 1,
      grantId: id,
      resource,
      isManaged: managedBy !== undefined,
    });
    return rows.map((row) => column.text(row, 'id'));
  }

  /** Ends all grants of a client and returns how many these were. */
  async revokeOfClient(manager: EntityManager, clientId: string): Promise<number> {
    const revoked = { revokedAt: Date.now() };
    const ended = await manager.update(GrantEntity, { clientId, ...activeGrants() }, revoked);
    return ended.affected ?? 0;
  }

  /** Sets the first step of each disconnection, which deletes the user's unanswered consents to the client. */
  beforeDisconnection(hook: DisconnectionHook): void {
    this.forgetConsents = hook;
  }

  /**
   * Disconnects the app: ends the grant, and what the client could connect again with by itself, the user's unanswered
   * consents and the codes that were not exchanged yet.
   */
  async disconnect({ id, userId, clientId }: GrantEntity): Promise<boolean> {
    const { manager } = this.dataSource;
    await this.forgetConsents(manager, { userId, clientId });
    const isEnded = await this.revoke(id);
    const notExchanged = { familyHash: IsNull(), managedBy: IsNull(), ...activeGrants() };
    const change = { revokedAt: Date.now() };
    await manager.update(GrantEntity, { userId, clientId, ...notExchanged }, change);
    return isEnded;
  }

  /**
   * Records that the response with this generation reached the client: an access token of it was used. Only
   * the first call for a generation counts, across all replicas; an earlier generation changes nothing.
   */
  async confirmDelivery(id: string, generation: number): Promise<void> {
    await CONFIRM_DELIVERY.run(this.dataSource, { generation, id });
  }

  /**
   * Applies a greatest age to existing grants and returns how many end earlier now. Walks over the table once, in
   * small batches, so that no statement blocks another replica for long. Safe on several replicas at once.
   */
  async limitAge(maxAgeMs: number): Promise<number> {
    let count = 0;
    let after = '';
    for (;;) {
      const longer = (await FIND_LONGER.run(this.dataSource, { maxAgeMs, after })).rows.at(-1);
      if (!longer) return count;
      const upTo = column.text(longer, 'id');
      count += (await SHORTEN.run(this.dataSource, { maxAgeMs, after, upTo })).affected;
      after = upTo;
    }
  }
}
