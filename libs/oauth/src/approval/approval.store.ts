import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, MoreThan } from 'typeorm';
import { generateId, type Session } from '#libs/accounts';
import { column, type Dialect, PreparedStatement, ReadBatch, type Row } from '#libs/platform';
import { grantBlocked } from '../client/client-block.store.js';
import { type ConnectionChange, ConnectionStore, holdSession } from '../grant/connection.store.js';
import type { GrantEntity } from '../grant/grant.entity.js';
import { type Permission, permissionsOf } from '../grant/permission.js';
import {
  type Approval,
  APPROVAL_LIFETIME_MS,
  callHashOf,
  type CallToApprove,
  ENDED_KEPT_MS,
  MAX_OPEN_OF_ACCOUNT,
  MAX_OPEN_OF_CONNECTION,
  shownArguments,
} from './approval.js';
import type { Confirmation } from './approval-passkeys.js';
import { ApprovalEntity, type ApprovalState } from './approval.entity.js';
import { type ApprovalEnd, type ApprovalKind, ApprovalMeter } from './approval-meter.js';

export type Decision = 'once' | 'always' | 'no';

/**
 * `approved`: a decision `once` that this call has spent, `allowed`: it needs no yes by now; both with the limit of now.
 * `full`: too many are open. `ended`: the connection is over, or paused. `not-given`: the issuer of a managed connection
 * does not give the scope, and its person cannot.
 */
export type Asked =
  | {
      readonly outcome: 'open' | 'refused';
      readonly approval: Approval;
      readonly isNew?: true;
    }
  | { readonly outcome: 'approved'; readonly approval: Approval; readonly limit: CallLimit }
  | { readonly outcome: 'allowed'; readonly limit: CallLimit }
  | { readonly outcome: 'full' | 'ended' | 'not-given' };

export type CallLimit = Pick<GrantEntity, 'dailyCredits'>;

/** SQL: whether calls of grant `g` may be asked and decided about. */
const isLive = (dialect: Dialect) => `
  g.revoked_at IS NULL AND g.expires_at > :at AND NOT g.paused_by_person AND NOT g.paused_by_administrator
  AND NOT ${grantBlocked(dialect)}
  AND EXISTS (SELECT 1 FROM users u WHERE u.id = g.user_id AND u.disabled_at IS NULL)`;

/** A request has also expired when its grant or its time has ended, before the row says so. */
const selectShown = (dialect: Dialect) => `
  SELECT a.*, CASE WHEN g.app = '' THEN g.client_id ELSE g.app END AS app, g.published,
    CASE WHEN a.state = 'open' AND NOT (a.expires_at > :at AND ${isLive(dialect)}) THEN 'expired' ELSE a.state END AS shown_state
  FROM oauth_approvals a JOIN oauth_grants g ON g.id = a.grant_id`;

/** Leaves out requests that ended more than an hour ago, also before they are swept. */
const FIND = new PreparedStatement<'ids' | 'at'>(
  'approvals',
  (dialect) => `${selectShown(dialect)} WHERE a.id IN (SELECT value FROM ${dialect.listed(':ids')})
     AND CASE WHEN a.state = 'open' THEN a.expires_at + ${ENDED_KEPT_MS} ELSE a.sweep_at END > :at`,
);

const LIST_OPEN = new PreparedStatement<'userId' | 'at'>(
  'open-approvals',
  (
    dialect,
  ) => `${selectShown(dialect)} WHERE a.user_id = :userId AND a.state = 'open' AND a.expires_at > :at AND ${isLive(dialect)}
   ORDER BY a.created_at DESC, a.id DESC`,
);

/**
 * Requests of an account are made one after the other, so that they stay within the limits. Transactions that make or
 * decide one lock the account, then the grant, then its requests. What only ends open requests skips locked ones, which
 * are being ended or decided: it would deadlock with another that has several, in another order.
 */
const LOCK_USER = new PreparedStatement<'userId'>(
  'lock-asked-user',
  ({ forUpdate }) => `SELECT 1 FROM users WHERE id = :userId ${forUpdate}`,
);

const selectAsking = (dialect: Dialect) =>
  `SELECT g.scope, g.permissions, g.may_ask, g.managed_by, g.daily_credits FROM oauth_grants g
   WHERE g.id = :grantId AND ${isLive(dialect)}`;

const LOCK_GRANT = new PreparedStatement<'grantId' | 'at'>(
  'lock-asking-grant',
  (dialect) => `${selectAsking(dialect)} ${dialect.forUpdate}`,
);

const FIND_GRANT = new PreparedStatement<'grantId' | 'at'>('asking-grant', selectAsking);

const limitIn = (grant: Row): CallLimit => ({
  dailyCredits: column.numberOrNull(grant, 'daily_credits'),
});

/** What a grant allows of a scope now; `not-given` as in Asked. */
function standingOf(grant: Row, scope: string): Permission | 'not-given' {
  const given = {
    scope: column.text(grant, 'scope'),
    permissions: column.textOrNull(grant, 'permissions'),
  };
  const permission = permissionsOf(given).get(scope);
  if (permission) return permission;
  return column.textOrNull(grant, 'managed_by') === null ? 'off' : 'not-given';
}

/**
 * The last decision about a call, else its open request. A decision is an approval that no call has used, or a refusal
 * of the last 10 minutes; a refused permission counts for all calls of its scope.
 */
const FIND_CALL = new PreparedStatement<'grantId' | 'callHash' | 'scope' | 'kind' | 'at'>(
  'approval-of-call',
  (dialect) => `${selectShown(dialect)}
   WHERE a.grant_id = :grantId AND (
     a.call_hash = :callHash AND (
       a.state = 'open' AND a.expires_at > :at
       OR a.state = 'once' AND a.spent_at IS NULL AND a.decided_at + ${APPROVAL_LIFETIME_MS} > :at
       OR a.state = 'no' AND a.decided_at + ${APPROVAL_LIFETIME_MS} > :at)
     OR a.kind = 'permission' AND :kind = 'permission' AND a.scope = :scope AND a.state = 'no'
       AND a.decided_at + ${APPROVAL_LIFETIME_MS} > :at)
   ORDER BY CASE a.state WHEN 'open' THEN 1 ELSE 0 END, a.decided_at DESC LIMIT 1`,
);

const END = `
  state = :state, decided_at = :at, arguments = NULL, sweep_at = CAST(:at AS bigint) + ${ENDED_KEPT_MS}`;

const RETURNING = 'RETURNING kind, created_at';

/** A request that expired ended at its `expires_at`, however late that is noticed. */
const EXPIRE = `
  state = 'expired', decided_at = expires_at, arguments = NULL, sweep_at = expires_at + ${ENDED_KEPT_MS}`;

const END_OVERDUE = new PreparedStatement<'userId' | 'at'>(
  'end-overdue-approvals',
  (dialect) => `UPDATE oauth_approvals SET ${EXPIRE}
   WHERE id IN (SELECT id FROM oauth_approvals
     WHERE user_id = :userId AND state = 'open' AND (expires_at <= :at OR NOT EXISTS (
       SELECT 1 FROM oauth_grants g WHERE g.id = oauth_approvals.grant_id AND ${isLive(dialect)}))
     ${dialect.forUpdateSkipLocked})
   ${RETURNING}`,
);

/** Whether a permission was refused in the last 10 minutes, and how many requests are open. */
const FIND_STANDING = new PreparedStatement<'userId' | 'grantId' | 'scope' | 'at'>(
  'standing-of-permission',
  `SELECT COALESCE(SUM(CASE WHEN state = 'no' THEN 1 ELSE 0 END), 0) AS refused,
     COALESCE(SUM(CASE WHEN state = 'open' THEN 1 ELSE 0 END), 0) AS of_user,
     COALESCE(SUM(CASE WHEN state = 'open' AND grant_id = :grantId THEN 1 ELSE 0 END), 0) AS of_grant
   FROM oauth_approvals WHERE user_id = :userId AND (
     state = 'open' AND expires_at > :at
     OR state = 'no' AND kind = 'permission' AND grant_id = :grantId AND scope = :scope
       AND decided_at + ${APPROVAL_LIFETIME_MS} > :at)`,
);

const isFull = (count: Row) =>
  column.number(count, 'of_user') >= MAX_OPEN_OF_ACCOUNT ||
  column.number(count, 'of_grant') >= MAX_OPEN_OF_CONNECTION;

const DECIDE = new PreparedStatement<'id' | 'state' | 'byPasskey' | 'at'>(
  'decide-approval',
  (dialect) => `UPDATE oauth_approvals SET ${END}, by_passkey = :byPasskey
   WHERE id = :id AND state = 'open' AND expires_at > :at
     AND EXISTS (SELECT 1 FROM oauth_grants g WHERE g.id = oauth_approvals.grant_id AND ${isLive(dialect)})
   ${RETURNING}`,
);

const SPEND = new PreparedStatement<'id' | 'at'>(
  'spend-approval',
  (dialect) => `UPDATE oauth_approvals SET spent_at = :at
   WHERE id = :id AND state IN ('once', 'always') AND spent_at IS NULL AND decided_at + ${APPROVAL_LIFETIME_MS} > :at
     AND EXISTS (SELECT 1 FROM oauth_grants g WHERE g.id = oauth_approvals.grant_id AND ${isLive(dialect)})`,
);

const END_OF_GRANT = new PreparedStatement<'grantId' | 'state' | 'at' | 'kind' | 'scopes'>(
  'end-approvals-of-grant',
  ({ listed, forUpdateSkipLocked }) => `
   UPDATE oauth_approvals SET ${END}
   WHERE id IN (SELECT id FROM oauth_approvals
     WHERE grant_id = :grantId AND state = 'open' AND (:state <> 'always' OR may_allow_always)
       AND (kind = :kind OR scope IN (SELECT value FROM ${listed(':scopes')}) OR :kind = 'all')
     ${forUpdateSkipLocked})
   ${RETURNING}`,
);

/**
 * Ends approvals that no call has used, after their person allowed less. One that a call has used loses its time, so
 * that the call does not run if it waits, and that it is expired when the call gives it back.
 */
const WITHDRAW = new PreparedStatement<'grantId' | 'kind' | 'scopes'>(
  'withdraw-approvals-of-grant',
  ({ listed }) => `UPDATE oauth_approvals SET
     state = CASE WHEN spent_at IS NULL THEN 'expired' ELSE state END,
     decided_at = CASE WHEN spent_at IS NULL THEN decided_at ELSE 0 END
   WHERE grant_id = :grantId AND state = 'once' AND decided_at > 0
     AND (kind = :kind OR scope IN (SELECT value FROM ${listed(':scopes')}) OR :kind = 'all')`,
);

/** Ends open requests whose time is over; their rows are deleted an hour later. */
const END_DUE = new PreparedStatement<'at' | 'limit'>(
  'end-due-approvals',
  ({ forUpdateSkipLocked }) => `
   UPDATE oauth_approvals SET ${EXPIRE} WHERE state = 'open' AND id IN (
     SELECT id FROM oauth_approvals WHERE sweep_at <= :at AND state = 'open' LIMIT :limit ${forUpdateSkipLocked})
   ${RETURNING}`,
);

const DELETE_DUE = new PreparedStatement<'at' | 'limit'>(
  'delete-due-approvals',
  ({ forUpdateSkipLocked }) => `
   DELETE FROM oauth_approvals WHERE id IN (
     SELECT id FROM oauth_approvals WHERE sweep_at <= :at AND state <> 'open' LIMIT :limit ${forUpdateSkipLocked})`,
);

/**
 * Requests to people. The store decides every race, over all replicas: a call has one open request, a request is
 * decided once, and of the calls that wait for it one runs. Counts each request where it ends.
 */
@Injectable()
export class ApprovalStore {
  /** Administration beside the service counts nothing. */
  private meter = new ApprovalMeter();
  /** Calls that wait look at the same moment, at each decision about a request of their account. */
  private readonly found = new ReadBatch((ids) => findAll(this.dataSource, ids));

  constructor(
    private readonly dataSource: DataSource,
    private readonly connections: ConnectionStore,
  ) {
    connections.afterChange((manager, grant, change) => this.endAnswered(manager, grant, change));
  }

  countWith(meter: ApprovalMeter): void {
    this.meter = meter;
  }

  /**
   * Makes a request for a call, or finds the request or decision of the same call. Uses up a decision `once`. Parallel
   * calls stay within the limits.
   */
  async ask(call: CallToApprove): Promise<Asked> {
    const { grantId, userId, scope } = call;
    const callHash = callHashOf(call);
    const overdue: Row[] = [];
    const asked = await this.dataSource.transaction<Asked>(async (manager) => {
      await LOCK_USER.run(manager, { userId });
      const at = Date.now();
      const [grant] = (await LOCK_GRANT.run(manager, { grantId, at })).rows;
      if (!grant) return { outcome: 'ended' };
      const standing = standingOf(grant, scope);
      if (standing === 'not-given') return { outcome: 'not-given' };
      // Its person has decided so since the call began.
      if (standing === 'off' && !column.flag(grant, 'may_ask')) return { outcome: 'ended' };
      const limit = limitIn(grant);
      if (standing === 'allow' && call.mayAllowAlways) return { outcome: 'allowed', limit };
      const kind = standing === 'off' ? 'permission' : 'call';
      const key = { grantId, callHash, scope, kind, at };
      const [known] = (await FIND_CALL.run(manager, key)).rows.map(toApproval);
      if (known?.state === 'no') return { outcome: 'refused', approval: known };
      if (known?.state === 'once' && (await this.spend(known.id, manager)))
        return { outcome: 'approved', approval: known, limit };
      if (known?.state === 'open') return { outcome: 'open', approval: known };
      overdue.push(...(await END_OVERDUE.run(manager, { userId, at })).rows);
      const [count] = (await FIND_STANDING.run(manager, { userId, grantId, scope, at })).rows;
      if (!count || isFull(count)) return { outcome: 'full' };
      const id = generateId();
      const expiresAt = at + APPROVAL_LIFETIME_MS;
      const { page, input, ...shown } = call;
      await manager.insert(ApprovalEntity, {
        ...shown,
        ...shownArguments(input),
        id,
        callHash,
        kind,
        tab: page?.tab ?? null,
        page: page && JSON.stringify(page),
        state: 'open',
        createdAt: at,
        expiresAt,
        decidedAt: null,
        spentAt: null,
        sweepAt: expiresAt,
      });
      const approval = (await findAll(manager, [id])).get(id);
      if (!approval) throw new Error('a request is gone that was just asked');
      return { outcome: 'open', approval, isNew: true };
    });
    this.count('expired', overdue);
    return asked;
  }

  /** Why its person would not be asked for a permission now, whatever the call; undefined where they may be. */
  async refusalOf(
    of: Pick<CallToApprove, 'userId' | 'grantId' | 'scope'>,
  ): Promise<'refused' | 'full' | undefined> {
    const { userId, grantId, scope } = of;
    const values = { userId, grantId, scope, at: Date.now() };
    const [standing] = (await FIND_STANDING.run(this.dataSource, values)).rows;
    if (!standing) return undefined;
    if (column.number(standing, 'refused') > 0) return 'refused';
    return isFull(standing) ? 'full' : undefined;
  }

  /** A request, until an hour after it ended. */
  async find(id: string): Promise<Approval | undefined> {
    // Postgres would refuse the whole batch.
    if (id.includes('\0') || !id.isWellFormed()) return undefined;
    return this.found.find(id);
  }

  /** The open ones of an account, newest first. */
  async listOpen(userId: string): Promise<Approval[]> {
    const { rows } = await LIST_OPEN.run(this.dataSource, { userId, at: Date.now() });
    return rows.map(toApproval);
  }

  /**
   * Decides about an open request; false when it has ended. Of parallel calls one returns true. `always` allows the
   * scope in the same transaction. Throws RefusalError 401 when the session, if one decides, has ended since it was read,
   * and 403 when the passkey that confirmed the decision was removed since.
   */
  async decide(
    { id, grantId, scope }: Pick<Approval, 'id' | 'grantId' | 'scope'>,
    decision: Decision,
    byPasskey: boolean,
    by: { readonly session?: Session; readonly confirmation?: Confirmation | undefined } = {},
  ): Promise<boolean> {
    const { decided, changed } = await this.dataSource.transaction(async (manager) => {
      if (by.session) await holdSession(manager, by.session);
      await by.confirmation?.expectHeld(manager);
      // Before the request, in the order of all transactions (LOCK_USER), so that a change finds it open or decided.
      const at = Date.now();
      const isLiveNow = (await LOCK_GRANT.run(manager, { grantId, at })).rows.length > 0;
      if (!isLiveNow) return { decided: [] };
      const { rows } = await DECIDE.run(manager, { id, state: decision, byPasskey, at });
      if (rows.length === 0 || decision !== 'always') return { decided: rows };
      const allow = { permissions: { [scope]: 'allow' } } as const;
      return { decided: rows, changed: await this.connections.change(grantId, allow, manager) };
    });
    this.count(decision, decided);
    changed?.committed();
    return decided.length > 0;
  }

  /**
   * Uses up a decision `once` of a live connection, or `always` for the calls that waited for it; of parallel calls, on
   * all replicas, one returns true.
   */
  async spend(id: string, on: DataSource | EntityManager = this.dataSource): Promise<boolean> {
    return (await SPEND.run(on, { id, at: Date.now() })).affected === 1;
  }

  /**
   * The limit of a call that has waited for a yes; undefined where that allows it no longer, since its person or the
   * issuer allows less by now.
   */
  async limitOf({ grantId, scope, state }: Pick<Approval, 'grantId' | 'scope' | 'state'>) {
    const [grant] = (await FIND_GRANT.run(this.dataSource, { grantId, at: Date.now() })).rows;
    if (!grant) return undefined;
    const standing = standingOf(grant, scope);
    const isAllowed = state === 'always' ? standing === 'allow' : standing !== 'not-given';
    return isAllowed ? limitIn(grant) : undefined;
  }

  /** Whether its person has not taken back a decision `once` that a call has used up. */
  async isHeld({ id }: Pick<Approval, 'id'>): Promise<boolean> {
    const held = { id, state: 'once', decidedAt: MoreThan(0) } as const;
    return this.dataSource.manager.existsBy(ApprovalEntity, held);
  }

  /** Makes a decision `once` that was spent good for one more call, until its time is over. */
  async giveBack(id: string): Promise<void> {
    await this.dataSource.manager.update(ApprovalEntity, { id, state: 'once' }, { spentAt: null });
  }

  /**
   * In the transaction that changes a connection: ends the requests that this answers, and approvals it takes back.
   * Returns what counts them once that is committed.
   */
  private async endAnswered(
    manager: EntityManager,
    grant: Pick<GrantEntity, 'id' | 'mayAsk' | 'scope' | 'permissions'>,
    { permissions = {}, isPausedByPerson, isPausedByAdministrator, mayAsk }: ConnectionChange,
  ): Promise<() => void> {
    const ended: [ApprovalEnd, Row[]][] = [];
    const end = async (state: ApprovalEnd, kind: string, scopes?: readonly string[]) => {
      ended.push([state, await endRequests(manager, grant.id, state, kind, scopes)]);
    };
    const committed = () => {
      for (const [state, rows] of ended) this.count(state, rows);
    };
    const withdraw = (kind: string, scopes: readonly string[] = []) =>
      WITHDRAW.run(manager, { grantId: grant.id, kind, scopes: JSON.stringify(scopes) });
    const scopesWith = (word: Permission) =>
      Object.keys(permissions).filter((scope) => permissions[scope] === word);
    if (isPausedByPerson || isPausedByAdministrator) {
      await withdraw('all');
      await end('expired', 'all');
      return committed;
    }
    const turnedOff = scopesWith('off');
    if (!grant.mayAsk && (mayAsk === false || turnedOff.length > 0)) {
      const off = [...permissionsOf(grant)].flatMap(([name, word]) => (word === 'off' ? name : []));
      await end('expired', 'permission', off);
      await withdraw('permission', off);
    }
    if (turnedOff.length > 0) await withdraw('none', turnedOff);
    if (scopesWith('allow').length > 0) await end('always', 'none', scopesWith('allow'));
    return committed;
  }

  /** Ends the open requests of a connection that ends. */
  async endOf(grantId: string): Promise<void> {
    this.count('expired', await endRequests(this.dataSource, grantId, 'expired', 'all'));
  }

  /** Ends at most `limit` requests whose time is over, and deletes as many that are over for an hour. */
  async sweep(limit: number): Promise<number> {
    const at = Date.now();
    const { rows } = await END_DUE.run(this.dataSource, { at, limit });
    this.count('expired', rows);
    const deleted = await DELETE_DUE.run(this.dataSource, { at, limit });
    return Math.max(rows.length, deleted.affected);
  }

  private count(decision: ApprovalEnd, ended: readonly Row[]) {
    for (const row of ended) {
      const waitedMs = Date.now() - column.number(row, 'created_at');
      this.meter.ended(column.text(row, 'kind') as ApprovalKind, decision, waitedMs);
    }
  }
}

async function findAll(on: DataSource | EntityManager, ids: readonly string[]) {
  const { rows } = await FIND.run(on, { ids: JSON.stringify(ids), at: Date.now() });
  return new Map(rows.map(toApproval).map((approval) => [approval.id, approval]));
}

async function endRequests(
  on: DataSource | EntityManager,
  grantId: string,
  state: ApprovalEnd,
  kind: string,
  scopes: readonly string[] = [],
) {
  const values = { grantId, state, at: Date.now(), kind, scopes: JSON.stringify(scopes) };
  return (await END_OF_GRANT.run(on, values)).rows;
}

const toApproval = (row: Row): Approval => ({
  id: column.text(row, 'id'),
  grantId: column.text(row, 'grant_id'),
  userId: column.text(row, 'user_id'),
  callHash: column.text(row, 'call_hash'),
  kind: column.text(row, 'kind') as Approval['kind'],
  scope: column.text(row, 'scope'),
  method: column.text(row, 'method'),
  name: column.text(row, 'name'),
  title: column.text(row, 'title'),
  tab: column.textOrNull(row, 'tab'),
  page: column.textOrNull(row, 'page'),
  arguments: row['shown_state'] === 'open' ? column.textOrNull(row, 'arguments') : null,
  isTruncated: column.flag(row, 'is_truncated'),
  needsPasskey: column.flag(row, 'needs_passkey'),
  mayAllowAlways: column.flag(row, 'may_allow_always'),
  state: column.text(row, 'shown_state') as ApprovalState,
  createdAt: column.number(row, 'created_at'),
  expiresAt: column.number(row, 'expires_at'),
  decidedAt: column.numberOrNull(row, 'decided_at'),
  spentAt: column.numberOrNull(row, 'spent_at'),
  isByPasskey: column.flag(row, 'by_passkey'),
  sweepAt: column.number(row, 'sweep_at'),
  app: column.text(row, 'app'),
  published: column.textOrNull(row, 'published'),
});
