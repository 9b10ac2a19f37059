import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Column, DataSource, Entity, type EntityManager, Index, PrimaryColumn } from 'typeorm';
import { activeSessionValues, hashSecret, type Session, sessionIsActive } from '#libs/accounts';
import {
  BatchedRead,
  column,
  type Dialect,
  expiredRows,
  guardedChanges,
  PreparedStatement,
  wholeNumber,
} from '#libs/platform';
import { blocked } from '../client/client-block.store.js';
import {
  clientUseValues,
  type ClientUseValues,
  RECORD_CLIENT_USE,
} from '../client/client.store.js';
import type { GrantEntity } from '../grant/grant.entity.js';
import { CODE_LIFETIME_MS, type GrantParties } from '../grant/grant.js';
import type { GivenScopes } from '../grant/permission.js';
import type { NewToken } from '../token/token.js';

/** An authorization request that passed every check, stored in a consent until the user answers. */
export interface AuthorizationRequest {
  readonly clientId: string;
  /** The app's name as the page shows it; the grant keeps it even if the client changes its name later. */
  readonly app: string;
  /** When the client was registered, in epoch seconds; undefined for a published client. */
  readonly registeredAt?: number | undefined;
  readonly redirectUri: string;
  /** The supported scopes that the client requested; undefined when it requested none of them. */
  readonly scopes: readonly string[] | undefined;
  readonly state?: string | undefined;
  readonly resource: string;
  readonly codeChallenge: string;
}

@Entity('oauth_consents')
@Index('oauth_consents_user_open', ['userId', 'expiresAt', 'handleHash'])
export class ConsentEntity {
  @PrimaryColumn('varchar', { name: 'handle_hash', length: 43 })
  handleHash!: string;

  @Column('varchar', { name: 'user_id', length: 64 })
  userId!: string;

  /** The session it was shown to, the only one that can answer it. */
  @Column('varchar', { name: 'session_hash', length: 43 })
  sessionHash!: string;

  @Column('varchar', { length: 300 })
  origin!: string;

  @Index('oauth_consents_client')
  @Column('varchar', { name: 'client_id', length: 512 })
  clientId!: string;

  @Column('simple-json')
  request!: AuthorizationRequest;

  @Index('oauth_consents_expires_at')
  @Column('bigint', { name: 'expires_at', transformer: wholeNumber })
  expiresAt!: number;
}

export type NewGrant = GrantParties &
  GivenScopes &
  Pick<GrantEntity, 'id' | 'redirectHost' | 'published'>;

/** The guard of every answer to a consent form, with `takeHandleValues`: uses up its handle. */
const takeHandle = (dialect: Dialect) =>
  `DELETE FROM oauth_consents WHERE handle_hash = :handleHash AND ${sessionIsActive(dialect)}`;

const takeHandleValues = (session: Session, handle: string) => ({
  handleHash: hashSecret(handle),
  ...activeSessionValues(session),
});

type TakeHandleValues = ReturnType<typeof takeHandleValues>;

const LIFETIME_MS = 10 * 60 * 1000;
const HANDLE_BYTES = 32;
const HANDLE = /^[\w-]{43}$/;

type HandleFault = 'noForm' | 'formGone' | 'formExpired' | 'otherSession';

/** An account has at most this many open forms; the oldest go first. */
const MAX_OPEN = 100;

/**
 * The share lock makes a concurrent deletion or disabling of the account wait, so that no consent outlives it. Forms
 * beyond the bound are locked in one order, so that concurrent requests do not deadlock.
 */
const BEGIN = new PreparedStatement<keyof ConsentEntity | 'redirectHosts'>(
  'begin-consent',
  guardedChanges(
    (dialect) => `
      INSERT INTO oauth_consents (handle_hash, user_id, session_hash, origin, client_id, request, expires_at)
      SELECT :handleHash, id, :sessionHash, :origin, CAST(:clientId AS varchar(512)), :request,
        CAST(:expiresAt AS bigint)
      FROM users WHERE id = :userId AND disabled_at IS NULL
        AND NOT ${blocked(':clientId', ':redirectHosts', dialect)} ${dialect.forShare}`,
    ({ guarded, forUpdate }) => `
      DELETE FROM oauth_consents WHERE ${guarded} AND handle_hash IN (
        SELECT handle_hash FROM oauth_consents WHERE handle_hash IN (
          SELECT handle_hash FROM oauth_consents WHERE user_id = :userId AND handle_hash <> :handleHash
          ORDER BY expires_at DESC LIMIT 1000 OFFSET ${MAX_OPEN - 1})
        ORDER BY handle_hash ${forUpdate})`,
  ),
);

const FIND = new BatchedRead(
  'consent',
  ({ keys }) => `
   SELECT c.handle_hash AS key, c.session_hash, c.origin, c.request, c.expires_at
   FROM ${keys} JOIN oauth_consents c ON c.handle_hash = keys.value`,
);

const TAKE = new PreparedStatement<keyof TakeHandleValues>('take-handle', takeHandle);

/** The new grant's `created_at`: later than that of every grant of the client, even if replica clocks differ. */
const GRANT_BEGINNING = `
  SELECT CASE WHEN MAX(created_at) >= :sessionNow THEN MAX(created_at) + 1
    ELSE CAST(:sessionNow AS bigint) END AS beginning
  FROM oauth_grants
  WHERE user_id = :sessionUserId AND client_id = :clientId AND revoked_at IS NULL AND expires_at > :sessionNow`;

const APPROVE = new PreparedStatement<
  | keyof Omit<NewGrant, 'id' | 'userId'>
  | 'grantId'
  | 'codeHash'
  | 'codePayload'
  | 'codeExpiresAt'
  | keyof TakeHandleValues
  | keyof ClientUseValues
>(
  'approve',
  guardedChanges(
    (dialect) => `${takeHandle(dialect)} AND NOT ${blocked(':clientId', ':clientHosts', dialect)}`,
    ({ guarded }) => `
      INSERT INTO oauth_grants (id, user_id, client_id, origin, scope, permissions, app, redirect_host, published,
        resource, client_hosts, created_at, last_used_at, expires_at, sweep_due_at)
      SELECT :grantId, CAST(:sessionUserId AS varchar(64)), CAST(:clientId AS varchar(512)), :origin, :scope,
        CAST(:permissions AS text), :app, CAST(:redirectHost AS varchar(260)), :published, :resource, CAST(:clientHosts AS text), beginning, beginning,
        CAST(:sessionNow AS bigint) + ${CODE_LIFETIME_MS}, CAST(:sessionNow AS bigint) + ${CODE_LIFETIME_MS}
      FROM (${GRANT_BEGINNING}) AS given WHERE ${guarded}`,
    ({ guarded }) => `
      INSERT INTO oauth_tokens (id_hash, kind, grant_id, generation, payload, created_at, expires_at)
      SELECT :codeHash, 'AuthorizationCode', CAST(:grantId AS varchar(64)), 0, :codePayload,
        CAST(:sessionNow AS bigint), CAST(:codeExpiresAt AS bigint)
      WHERE ${guarded}`,
    RECORD_CLIENT_USE,
  ),
);

export const expiredConsents = expiredRows(ConsentEntity, 'handleHash');

/** Unanswered consent forms, each bound to the session it was shown to, and what approving one writes. */
@Injectable()
export class ConsentStore {
  constructor(private readonly dataSource: DataSource) {}

  /** Begins a consent and returns its handle; undefined for a blocked client and a deleted or disabled account. */
  async begin(
    session: Session,
    origin: string,
    request: AuthorizationRequest,
    redirectHosts: readonly string[],
  ) {
    const handle = randomBytes(HANDLE_BYTES).toString('base64url');
    const { affected } = await BEGIN.run(this.dataSource, {
      handleHash: hashSecret(handle),
      userId: session.user.id,
      sessionHash: session.tokenHash,
      origin,
      clientId: request.clientId,
      request: JSON.stringify(request),
      expiresAt: Date.now() + LIFETIME_MS,
      redirectHosts: JSON.stringify(redirectHosts),
    });
    return affected === 1 ? handle : undefined;
  }

  /** The request behind a handle; undefined for a used, expired or unknown one, or of another session or origin. */
  async find(session: Session, origin: string, handle: string) {
    const row = await FIND.find(this.dataSource, hashSecret(handle));
    if (row?.['session_hash'] !== session.tokenHash || row['origin'] !== origin) return undefined;
    if (column.number(row, 'expires_at') <= Date.now()) return undefined;
    return JSON.parse(column.text(row, 'request')) as AuthorizationRequest;
  }

  /**
   * Why a handle was not found. Used, forged and swept handles have no row and cannot be told apart. Only a
   * caller that holds a handle learns that it belongs to another session, and it stays valid for that one only.
   */
  async whyRefused({ tokenHash }: Session, handle: string): Promise<HandleFault> {
    if (!HANDLE.test(handle)) return 'noForm';
    const handleHash = hashSecret(handle);
    const left = await this.dataSource.manager.findOneBy(ConsentEntity, { handleHash });
    if (!left) return 'formGone';
    return left.sessionHash === tokenHash ? 'formExpired' : 'otherSession';
  }

  async forget(manager: EntityManager, whose: Partial<Pick<ConsentEntity, 'userId' | 'clientId'>>) {
    await manager.delete(ConsentEntity, whose);
  }

  /** Uses up a handle if its session is still active; of concurrent calls one returns true. */
  async take(session: Session, handle: string): Promise<boolean> {
    return (await TAKE.run(this.dataSource, takeHandleValues(session, handle))).affected === 1;
  }

  /**
   * Uses up the handle and creates the grant, or changes nothing: false. Of concurrent calls one gets true. What
   * `expectAllowed` throws, which is asked while the account is locked, undoes both.
   */
  async approve(
    session: Session,
    handle: string,
    grant: NewGrant,
    code: NewToken,
    expectAllowed?: (manager: EntityManager) => Promise<void>,
  ) {
    const values = {
      ...grant,
      grantId: grant.id,
      codeHash: hashSecret(code.value),
      codePayload: JSON.stringify(code.payload),
      codeExpiresAt: code.expiresAt,
      ...takeHandleValues(session, handle),
      ...clientUseValues(grant.clientId),
    };
    const write = async (manager: EntityManager) =>
      (await APPROVE.run(manager, values)).affected === 1;
    // SQLite shares the commits of single changes. Outside a transaction, Postgres would complete the statement even if
    // this process died before the result.
    if (!expectAllowed && this.dataSource.options.type !== 'postgres')
      return write(this.dataSource.manager);
    return this.dataSource.transaction(async (manager) => {
      const isApproved = await write(manager);
      if (isApproved) await expectAllowed?.(manager);
      return isApproved;
    });
  }
}
