import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, In, LessThan, MoreThan } from 'typeorm';
import {
  BatchedRead,
  column,
  type Dialect,
  type GuardedWrite,
  PreparedStatement,
  type Row,
} from '#libs/platform';
import type { EndedSession } from '../security-event/security-event.service.js';
import type { User } from '../user/user.js';
import { UserStore } from '../user/user.store.js';
import { SessionEntity } from './session.entity.js';
import type { ProtectedSessions } from './freshness.service.js';
import type { Session } from './session.js';

export type SessionRow = Omit<SessionEntity, 'user'>;

type SessionRef = Pick<Session, 'tokenHash'>;

/** Writes that end a session and begin another, with `sessionValues`; their guard has to lock an enabled account. */
export const BEGIN_SESSION: readonly GuardedWrite[] = [
  ({ guarded }) => `DELETE FROM sessions WHERE token_hash = :sessionCarriedHash AND ${guarded}`,
  ({ guarded }) => `
    INSERT INTO sessions (token_hash, id, user_id, origin, browser, began_by, credential_id,
      created_at, last_seen_at, expires_at)
    SELECT :sessionTokenHash, :sessionId, :sessionUserId, :sessionOrigin, :sessionBrowser, :sessionBeganBy,
      :sessionCredentialId, CAST(:sessionCreatedAt AS bigint), CAST(:sessionLastSeenAt AS bigint),
      CAST(:sessionExpiresAt AS bigint)
    WHERE ${guarded}`,
];

export const sessionValues = (row: SessionRow, carried: SessionRef | undefined) => ({
  sessionCarriedHash: carried?.tokenHash ?? null,
  sessionTokenHash: row.tokenHash,
  sessionId: row.id,
  sessionUserId: row.userId,
  sessionOrigin: row.origin,
  sessionBrowser: row.browser,
  sessionBeganBy: row.beganBy,
  sessionCredentialId: row.credentialId,
  sessionCreatedAt: row.createdAt,
  sessionLastSeenAt: row.lastSeenAt,
  sessionExpiresAt: row.expiresAt,
});

export type SessionValues = ReturnType<typeof sessionValues>;

/**
 * SQL condition, with `activeSessionValues`: a session and its account exist, and stay until the change takes effect.
 * Locks the account before the session, as all statements do, which avoids deadlocks.
 */
export const sessionIsActive = ({ forShare }: Dialect) => `EXISTS (
  SELECT 1 FROM (SELECT id FROM users WHERE id = :sessionUserId ${forShare}) AS account
  JOIN sessions ON user_id = account.id
  WHERE token_hash = :sessionTokenHash AND expires_at > :sessionNow ${forShare})`;

/** The values for `sessionIsActive`; `sessionNow` is in epoch milliseconds. */
export const activeSessionValues = ({ user, tokenHash }: EndedSession, now = Date.now()) => ({
  sessionUserId: user.id,
  sessionTokenHash: tokenHash,
  sessionNow: now,
});

const FIND_EXPIRY = new PreparedStatement<'tokenHash' | 'readAt'>(
  'session-expiry',
  'SELECT expires_at FROM sessions WHERE token_hash = :tokenHash AND expires_at > :readAt',
);

/** A stored session of an enabled account; it may have expired. */
interface StoredSession {
  readonly session: Session;
  readonly origin: string;
  readonly lastSeenAt: number;
  /** Whether the limit may soon end a session of the account by its last use, which then has to be exact. */
  readonly hasManySessions: boolean;
}

/** Half of the limit, so that 50 parallel sign-ins that do not see each other's sessions stay within it. */
const MANY_SESSIONS = 50;

/** SQL: whether a further session of an account may exceed the limit. */
export const hasManySessions = (userId: string) => `EXISTS (
  SELECT 1 FROM sessions many WHERE many.user_id = ${userId} LIMIT 1 OFFSET ${MANY_SESSIONS - 1})`;

const FIND = new BatchedRead(
  'signed-in',
  ({ keys }) => `
   SELECT s.token_hash AS key, s.id, s.origin, s.created_at, s.last_seen_at, s.expires_at, s.began_by,
          s.credential_id, s.user_id, u.display_name,
          ${hasManySessions('s.user_id')} AS many_sessions
   FROM ${keys}
   JOIN sessions s ON s.token_hash = keys.value
   JOIN users u ON u.id = s.user_id
   WHERE u.disabled_at IS NULL`,
);

const MAX_SESSIONS = 100;

const BATCH = 100;

/** Longer than a session in use goes without a request, which records the use. */
const RECORDED_AGAIN_MS = 60_000;

/**
 * Groups the sessions by the passkey that they began with, or by `began_by` without one, and ranks those of a group by
 * their last use. Keeps rank 1 of each group, then rank 2, and so on: many sign-ins with one passkey do not end the few
 * sessions of another. Equal ranks are ordered by group. The account is locked by a statement before it: two parallel
 * ones that read before the lock may each choose other sessions. Locks the rows in one order, which avoids deadlocks.
 *
 * Before an account had many sessions, their last uses were not recorded exactly: for a minute it keeps those from
 * then, since a burst of sign-ins would otherwise end one that was used a moment ago.
 */
const END_SURPLUS = new PreparedStatement<'userId' | 'kept' | 'readAt'>(
  'end-surplus-sessions',
  (dialect) => `
    DELETE FROM sessions WHERE token_hash IN (
      SELECT token_hash FROM sessions WHERE token_hash IN (
        SELECT token_hash FROM (
          SELECT token_hash, created_at, COALESCE(credential_id, began_by) AS beginning,
            NTH_VALUE(created_at, ${MANY_SESSIONS}) OVER (
              ORDER BY created_at ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS many_since,
            ROW_NUMBER() OVER (PARTITION BY COALESCE(credential_id, began_by)
              ORDER BY token_hash = :kept DESC, last_seen_at DESC, token_hash) AS rank
          FROM sessions WHERE user_id = :userId AND expires_at > :readAt) AS of_user
        ORDER BY token_hash = :kept DESC, created_at < many_since AND many_since > :readAt - ${RECORDED_AGAIN_MS} DESC,
          rank, beginning
        LIMIT ${BATCH} OFFSET ${MAX_SESSIONS})
      ORDER BY token_hash ${dialect.forUpdate})
    RETURNING token_hash`,
);

const ID_FITS = '(CAST(:id AS varchar(32)) IS NULL OR id = :id)';

/** SQL: whether there is a session that one which is not fresh may not end (FreshnessService). */
const PROTECTED = `EXISTS (SELECT 1 FROM sessions WHERE user_id = :userId AND token_hash <> :kept AND ${ID_FITS}
  AND began_by <> CAST(:unprotected AS varchar(12)) AND created_at >= CAST(:protectedSince AS bigint))`;

type Ending = 'userId' | 'kept' | 'id' | 'protectedSince' | 'unprotected';

type SomeSessions = Partial<Pick<Session, 'id' | 'credentialId' | 'beganBy'>>;

const endingOf = (
  user: User,
  kept: SessionRef | undefined,
  { id }: SomeSessions,
  from: ProtectedSessions | undefined,
) => ({
  userId: user.id,
  kept: kept?.tokenHash ?? '',
  id: id ?? null,
  protectedSince: from?.since ?? null,
  unprotected: from?.but ?? null,
});

const HAS_PROTECTED = new PreparedStatement<Ending>(
  'has-fresh-sessions',
  `SELECT 1 WHERE ${PROTECTED}`,
);

/**
 * Ends all sessions of an account but one; of these only that of an id, or those that began in one way. Ends none where
 * one of them is protected. Locks the account before the rows: a transaction that ends sessions holds its own one
 * before those that come earlier in the order, and would deadlock otherwise.
 */
const END_SESSIONS = new PreparedStatement<Ending | 'credentialId' | 'beganBy'>(
  'end-sessions',
  ({ forUpdate }) => `
    DELETE FROM sessions WHERE token_hash IN (
      SELECT token_hash
        FROM (SELECT id AS locked_id FROM users WHERE id = :userId ${forUpdate}) AS account
        JOIN sessions ON user_id = locked_id
        WHERE token_hash <> :kept
        AND ${ID_FITS}
        AND (CAST(:credentialId AS varchar(1366)) IS NULL OR credential_id = :credentialId)
        AND (CAST(:beganBy AS varchar(12)) IS NULL OR began_by = :beganBy)
        AND NOT ${PROTECTED}
      ORDER BY token_hash ${forUpdate})
    RETURNING token_hash`,
);

/**
 * Sessions by the hashes of their tokens. A caller that ends some emits an event with them as `endedSessions`, which
 * closes their tabs on every replica. A session that two calls end is returned to one of them.
 */
@Injectable()
export class SessionStore {
  constructor(
    private readonly dataSource: DataSource,
    private readonly users: UserStore,
  ) {}

  async find(tokenHash: string): Promise<StoredSession | undefined> {
    const row = await FIND.find(this.dataSource, tokenHash);
    return row && toStored(row);
  }

  /** When the session with this hash expires, in epoch milliseconds; undefined when it has ended. */
  async expiryOf(tokenHash: string): Promise<number | undefined> {
    const [row] = (await FIND_EXPIRY.run(this.dataSource, { tokenHash, readAt: Date.now() })).rows;
    return row && column.number(row, 'expires_at');
  }

  async activeAmong(tokenHashes: readonly string[]): Promise<ReadonlySet<string>> {
    const active = await this.dataSource.manager.find(SessionEntity, {
      select: { tokenHash: true },
      where: { tokenHash: In(tokenHashes), expiresAt: MoreThan(Date.now()) },
    });
    return new Set(active.map(({ tokenHash }) => tokenHash));
  }

  /** Sessions of an account that have not expired, the most recently used first, at most 100. */
  async list(userId: string): Promise<SessionEntity[]> {
    return this.dataSource.manager.find(SessionEntity, {
      where: { userId, expiresAt: MoreThan(Date.now()) },
      order: { lastSeenAt: 'DESC', createdAt: 'DESC', id: 'ASC' },
      take: MAX_SESSIONS,
    });
  }

  /** The number of an account's active sessions, and their last use in epoch milliseconds. */
  async summaryOf(userId: string): Promise<{ count: number; lastSeenAt: number | null }> {
    const active = { userId, expiresAt: MoreThan(Date.now()) };
    const [count, lastSeenAt] = await Promise.all([
      this.dataSource.manager.countBy(SessionEntity, active),
      this.dataSource.manager.maximum(SessionEntity, 'lastSeenAt', active),
    ]);
    return { count, lastSeenAt: lastSeenAt === null ? null : Number(lastSeenAt) };
  }

  /** Begins a session inside the caller's transaction and ends the one it replaces. */
  async insert(
    manager: EntityManager,
    row: SessionRow,
    carried: SessionRef | undefined,
  ): Promise<void> {
    if (carried) await manager.delete(SessionEntity, { tokenHash: carried.tokenHash });
    await manager.insert(SessionEntity, row);
  }

  /** Records a use, unless a later one is recorded. */
  async touch(
    { session, lastSeenAt }: StoredSession,
    now: number,
    expiresAt: number,
  ): Promise<void> {
    await this.dataSource.manager.update(
      SessionEntity,
      { tokenHash: session.tokenHash, lastSeenAt: LessThan(lastSeenAt + 1) },
      { lastSeenAt: now, expiresAt },
    );
  }

  /** Locks the account, then the session, until the transaction ends. False when either is gone or has expired. */
  async lock(manager: EntityManager, { user, tokenHash }: EndedSession): Promise<boolean> {
    if (!(await this.users.lock(manager, user.id))) return false;
    const active = { tokenHash, expiresAt: MoreThan(Date.now()) };
    const touched = await manager.update(SessionEntity, active, { tokenHash });
    return touched.affected === 1;
  }

  async delete(tokenHash: string, origin: string): Promise<void> {
    await this.dataSource.manager.delete(SessionEntity, { tokenHash, origin });
  }

  /**
   * Ends the other sessions of an account, or the one with this id, as `session` wishes. Ends none, and returns
   * undefined, where one of them is protected.
   */
  async endBy(
    session: EndedSession,
    from: ProtectedSessions | undefined,
    id?: string,
  ): Promise<EndedSession[] | undefined> {
    if (id === '') return [];
    const { user } = session;
    const kept = id === undefined ? session : undefined;
    const some = { ...(id !== undefined && { id }) };
    const ended = await this.endAll(undefined, user, kept, some, from);
    if (ended.length > 0 || !from) return ended;
    const { rows } = await HAS_PROTECTED.run(this.dataSource, endingOf(user, kept, some, from));
    // The protected one may have ended meanwhile.
    return rows.length > 0 ? undefined : this.endAll(undefined, user, kept, some, from);
  }

  /** Ends all sessions but `kept`, or only some of these, inside the caller's transaction if there is one. */
  async endAll(
    manager: EntityManager | undefined,
    user: User,
    kept?: SessionRef,
    some: SomeSessions = {},
    from?: ProtectedSessions,
  ): Promise<EndedSession[]> {
    const values = {
      credentialId: null,
      beganBy: null,
      ...some,
      ...endingOf(user, kept, some, from),
    };
    const { rows } = await END_SESSIONS.run(manager ?? this.dataSource, values);
    return rows.map((row) => ({ tokenHash: column.text(row, 'token_hash'), user }));
  }

  /**
   * Ends the sessions that began with this passkey, except the given one, which then counts as begun without a passkey:
   * otherwise passkeys that are added and removed in turn would make more and more groups of END_SURPLUS.
   */
  async endBegunWith(
    manager: EntityManager,
    user: User,
    credentialId: string,
    { tokenHash }: SessionRef,
  ) {
    await manager.update(SessionEntity, { tokenHash, credentialId }, { credentialId: null });
    return this.endAll(manager, user, { tokenHash }, { credentialId });
  }

  /** Ends at most 100 of the sessions beyond 100, as END_SURPLUS chooses them, but never `kept`. */
  async endSurplusSessions(user: User, kept: SessionRef): Promise<EndedSession[]> {
    const hashes = await this.deleteSurplus(user.id, kept.tokenHash);
    return hashes.map((tokenHash) => ({ tokenHash, user }));
  }

  /** Ends, in batches, the sessions that accounts had beyond 100 before the limit existed. */
  async trimToLimit(): Promise<void> {
    const accounts = await this.dataSource.manager
      .createQueryBuilder(SessionEntity, 'session')
      .select('session.userId', 'id')
      .groupBy('session.userId')
      .having('COUNT(*) > :most', { most: MAX_SESSIONS })
      .getRawMany<{ id: string }>();
    for (const { id } of accounts) {
      let ended = BATCH;
      while (ended === BATCH) ended = (await this.deleteSurplus(id, '')).length;
    }
  }

  private async deleteSurplus(userId: string, kept: string): Promise<string[]> {
    const { rows } = await this.dataSource.transaction(async (manager) => {
      await this.users.lock(manager, userId);
      return END_SURPLUS.run(manager, { userId, kept, readAt: Date.now() });
    });
    return rows.map((row) => column.text(row, 'token_hash'));
  }
}

const toStored = (row: Row): StoredSession => ({
  session: {
    tokenHash: column.text(row, 'key'),
    id: column.text(row, 'id'),
    user: { id: column.text(row, 'user_id'), displayName: column.text(row, 'display_name') },
    createdAt: column.number(row, 'created_at'),
    expiresAt: column.number(row, 'expires_at'),
    beganBy: column.text(row, 'began_by') as Session['beganBy'],
    credentialId: column.textOrNull(row, 'credential_id'),
  },
  origin: column.text(row, 'origin'),
  lastSeenAt: column.number(row, 'last_seen_at'),
  hasManySessions: column.flag(row, 'many_sessions'),
});
