import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, type FindOptionsWhere, IsNull, MoreThan } from 'typeorm';
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
 * The user's own grants of the client for one resource beyond its limit: all but the one exchanged last and
 * `othersKept` used last. Of two exchanges at once the later sees both, and may end its own.
 */
const GRANTS_OVER_CLIENT_LIMIT = `
  SELECT id FROM (
    SELECT id ${IN_USE_OF_CLIENT} AND id <> (
      SELECT id ${IN_USE_OF_CLIENT} ORDER BY ${EXCHANGED_AT} DESC, id DESC LIMIT 1)
    ${BY_USE} LIMIT 100 OFFSET :othersKept) AS of_client`;

/**
 * The user's remaining grants beyond the limit, but the new one: first the longest idle of the app (name and redirect
 * host) that has the most, so that an app that connects in a loop pushes out its own.
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

const MANY_GRANTS = MAX_GRANTS_PER_USER / 2;

/**
 * SQL: whether the user of a grant has another one of the client, or enough that a further one may exceed the limit.
 * Of two codes that are exchanged at once, the later exchange sees both grants, which began with the consents.
 */
export const mayExceedLimits = (grant: string) => `(
  EXISTS (SELECT 1 FROM oauth_grants other
    WHERE other.user_id = ${grant}.user_id AND other.revoked_at IS NULL AND other.client_id = ${grant}.client_id
      AND other.id <> ${grant}.id)
  OR EXISTS (SELECT 1 FROM oauth_grants many
    WHERE many.user_id = ${grant}.user_id AND many.revoked_at IS NULL LIMIT 1 OFFSET ${MANY_GRANTS - 1}))`;

/** Older than any grant: the greatest age where none is set. */
export const NO_MAX_AGE_MS = 1e15;

/**
 * SQL of an UPDATE, for a use at `:usedAt`: prolongs a grant within its greatest age, `:maxAgeMs`, and the end that a
 * person chose. Each use increases `last_used_at`.
 */
export const prolongedTo = (expiresAt: string) => `
  last_used_at = CASE WHEN last_used_at < :usedAt THEN :usedAt ELSE last_used_at + 1 END,
  expires_at = (SELECT MIN(at) FROM (
    SELECT ${expiresAt} AS at UNION ALL SELECT created_at + :maxAgeMs UNION ALL SELECT ends_at) AS ends)`;

export const SELECT_GRANT_FOR_UPDATE = new PreparedStatement<'id'>(
  'select-grant-for-update',
  ({ forUpdate }) => `SELECT 1 FROM oauth_grants WHERE id = :id ${forUpdate}`,
);

const GRANTS_OVER_LIMIT = `
  SELECT id FROM (${GRANTS_OVER_CLIENT_LIMIT} UNION ALL ${GRANTS_OVER_USER_LIMIT}) AS over`;

/**
 * Locks the account and then the grants by id, which avoids deadlocks. Names the account in each part: with `id` alone
 * Postgres reads the whole table if it planned the statement while that was small.
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
  ({ forUpdateSkipLocked, listed }) => `
    UPDATE oauth_grants SET sweep_due_at = expires_at
    WHERE id IN (SELECT id FROM oauth_grants WHERE id IN (SELECT value FROM ${listed(':keys')})
                 ${forUpdateSkipLocked})`,
);

/** A revoked grant stays until it would have expired; its tokens go with it. */
export const expiredGrants = expiredRows(GrantEntity, 'id', {
  dueAt: 'sweepDueAt',
  putOff: PUT_OFF,
});

export const activeGrants = () => ({ revokedAt: IsNull(), expiresAt: MoreThan(Date.now()) });

/** How many grants it ended. */
async function endActive(manager: EntityManager, some: FindOptionsWhere<GrantEntity>) {
  const change = { revokedAt: Date.now() };
  const { affected } = await manager.update(GrantEntity, { ...some, ...activeGrants() }, change);
  return affected ?? 0;
}

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

  /** Ends the grant with its tokens and its code, on every replica. Of concurrent calls exactly one returns true. */
  async revoke(id: string): Promise<boolean> {
    return (await endActive(this.dataSource.manager, { id })) === 1;
  }

  /**
   * Enforces the limits after a grant came into use, and returns the ids of those it ended, the longest idle ones: a
   * registered client has one per user and resource, a published one 20, a user 100. A managed grant ends managed ones
   * alone. A statement of its own after the exchange: of two at once the later call sees both grants.
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

  async revokeOfClient(manager: EntityManager, clientId: string): Promise<number> {
    return endActive(manager, { clientId });
  }

  /** Sets the first step of each disconnection, which deletes the user's unanswered consents to the client. */
  beforeDisconnection(hook: DisconnectionHook): void {
    this.forgetConsents = hook;
  }

  /** Disconnects the app: ends the grant, the user's unanswered consents and the codes that were not exchanged yet. */
  async disconnect({ id, userId, clientId }: Pick<GrantEntity, 'id' | 'userId' | 'clientId'>) {
    const { manager } = this.dataSource;
    await this.forgetConsents(manager, { userId, clientId });
    const isEnded = await this.revoke(id);
    const notExchanged = { familyHash: IsNull(), managedBy: IsNull() };
    await endActive(manager, { userId, clientId, ...notExchanged });
    return isEnded;
  }

  /** Records that the response of this generation arrived: an access token of it was used. The first call counts. */
  async confirmDelivery(id: string, generation: number): Promise<void> {
    await CONFIRM_DELIVERY.run(this.dataSource, { generation, id });
  }

  /** Applies a greatest age, in small batches on any replica; returns how many grants end earlier now. */
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
