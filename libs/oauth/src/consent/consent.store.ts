import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { hashSecret, type Session, sessionIsActive } from '#libs/accounts';
import {
  BatchedRead,
  changesOf,
  type Dialect,
  expiredRows,
  PreparedStatement,
} from '#libs/platform';
import type { AuthorizationRequest } from '../authorize/authorization-request.js';
import { blocked } from '../client/client-block.store.js';
import { redirectHostOf } from '../client/redirect-uri.js';
import { clientUse } from '../client/client.store.js';
import type { GrantEntity } from '../grant/grant.entity.js';
import { CODE_LIFETIME_MS, MAX_GRANTS_PER_CLIENT, MAX_GRANTS_PER_USER } from '../grant/grant.js';
import type { NewToken } from '../token/token.js';
import { ConsentEntity } from './consent.entity.js';

export type NewGrant = Pick<
  GrantEntity,
  | 'id'
  | 'userId'
  | 'clientId'
  | 'origin'
  | 'resource'
  | 'scope'
  | 'app'
  | 'redirectHost'
  | 'published'
>;

/** The first statement of every answer to a consent form: uses up its handle. `takenHandle` gives `$1` to `$4`. */
const takeHandle = (dialect: Dialect) =>
  `DELETE FROM oauth_consents WHERE handle_hash = $1 AND ${sessionIsActive('$2', '$3', '$4', dialect)}`;

const takenHandle = ({ user, tokenHash }: Session, handle: string, now = Date.now()) =>
  [hashSecret(handle), user.id, tokenHash, now] as const;

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
const BEGIN = new PreparedStatement(
  'begin-consent',
  changesOf(
    ({ forShare }) => `
      INSERT INTO oauth_consents (handle_hash, user_id, session_hash, origin, client_id, request, expires_at)
      SELECT $1, id, $3, $4, CAST($5 AS varchar(512)), $6, CAST($7 AS bigint)
      FROM users WHERE id = $2 AND disabled_at IS NULL AND NOT ${blocked('$5', '$8')} ${forShare}`,
    ({ decided, forUpdate }) => `
      DELETE FROM oauth_consents WHERE ${decided} AND handle_hash IN (
        SELECT handle_hash FROM oauth_consents WHERE handle_hash IN (
          SELECT handle_hash FROM oauth_consents WHERE user_id = $2 AND handle_hash <> $1
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

const TAKE = new PreparedStatement('take-handle', takeHandle);

const ACTIVE_OF_CLIENT = (userId: string, clientId: string, now: string) => `
  FROM oauth_grants
  WHERE user_id = ${userId} AND client_id = ${clientId} AND revoked_at IS NULL AND expires_at > ${now}`;

/** The new grant's `created_at`: later than that of every grant it replaces, even if replica clocks differ. */
const BEGINNING = `
  SELECT CASE WHEN MAX(created_at) >= $4 THEN MAX(created_at) + 1 ELSE CAST($4 AS bigint) END AS beginning
  ${ACTIVE_OF_CLIENT('$2', '$6', '$4')}`;

const APPROVE = new PreparedStatement(
  'approve',
  changesOf(
    (dialect) => `${takeHandle(dialect)} AND NOT ${blocked('$6', '$10')}`,
    ({ decided }) => `
      INSERT INTO oauth_grants (id, user_id, client_id, origin, scope, app, redirect_host, published,
        resource, created_at, last_used_at, expires_at, sweep_due_at)
      SELECT $5, CAST($2 AS varchar(64)), CAST($6 AS varchar(512)), $7, $8, $9, CAST($10 AS varchar(260)), $11,
        $15, beginning, beginning, CAST($4 AS bigint) + ${CODE_LIFETIME_MS}, CAST($4 AS bigint) + ${CODE_LIFETIME_MS}
      FROM (${BEGINNING}) AS given WHERE ${decided}`,
    ({ decided }) => `
      INSERT INTO oauth_tokens (id_hash, kind, grant_id, generation, payload, created_at, expires_at)
      SELECT $12, 'AuthorizationCode', CAST($5 AS varchar(64)), 0, $13, CAST($4 AS bigint), CAST($14 AS bigint)
      WHERE ${decided}`,
    clientUse('$6', 'CAST($4 AS bigint)'),
  ),
);

const BY_USE = 'ORDER BY last_used_at DESC, created_at DESC, id DESC';

const ACTIVE_OF_RESOURCE = `${ACTIVE_OF_CLIENT('$1', '$2', '$3')}
  AND resource IS NOT DISTINCT FROM $6 AND managed_by IS NULL`;

/**
 * The user's own grants of the client for one resource beyond its limit, not those of trusted issuers: all but the newest
 * and the $4 others used most recently.
 */
const BEYOND_OF_CLIENT = `
  SELECT id FROM (
    SELECT id ${ACTIVE_OF_RESOURCE} AND id <> (
      SELECT id ${ACTIVE_OF_RESOURCE} ORDER BY created_at DESC, id DESC LIMIT 1)
    ${BY_USE} LIMIT 100 OFFSET $4) AS of_client`;

/** The user's remaining grants beyond the limit: all but the new one and the 99 others used most recently. */
const BEYOND_OF_USER = `
  SELECT id FROM (
    SELECT id FROM oauth_grants
    WHERE user_id = $1 AND revoked_at IS NULL AND expires_at > $3 AND id <> $5
      AND id NOT IN (${BEYOND_OF_CLIENT})
    ${BY_USE} LIMIT 100 OFFSET ${MAX_GRANTS_PER_USER - 1}) AS of_user`;

const BEYOND = `
  SELECT id FROM (${BEYOND_OF_CLIENT} UNION ALL ${BEYOND_OF_USER}) AS beyond`;

/**
 * Locks the account first and then the grants in id order, so that two concurrent calls that end several grants
 * wait for each other and cannot deadlock. Names the account in each part: with `id` alone, Postgres reads the whole
 * table if it planned the statement while the table was small.
 */
const END_OLDER = new PreparedStatement(
  'end-older-grants',
  ({ type, forShare, forUpdate }) => `
    UPDATE oauth_grants SET revoked_at = $3
    WHERE EXISTS (SELECT 1 FROM users WHERE id = $1 ${forShare})
      AND user_id = $1 AND revoked_at IS NULL AND id IN (${
        type === 'sqlite'
          ? BEYOND
          : `SELECT id FROM oauth_grants WHERE user_id = $1 AND revoked_at IS NULL AND id IN (${BEYOND})
             ORDER BY id ${forUpdate}`
      })
    RETURNING id`,
);

export const expiredConsents = expiredRows(ConsentEntity, 'handleHash');

/** Unanswered consent forms, each bound to the session it was shown to, and what approving one writes. */
@Injectable()
export class ConsentStore {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Begins a consent and returns its handle, the secret in the form; undefined for a blocked client, and for an
   * account that was deleted or disabled.
   */
  async begin(session: Session, origin: string, request: AuthorizationRequest) {
    const handle = randomBytes(HANDLE_BYTES).toString('base64url');
    const { affected } = await BEGIN.run(this.dataSource, [
      hashSecret(handle),
      session.user.id,
      session.tokenHash,
      origin,
      request.clientId,
      JSON.stringify(request),
      Date.now() + LIFETIME_MS,
      redirectHostOf(request.redirectUri),
    ]);
    return affected === 1 ? handle : undefined;
  }

  /**
   * The authorization request behind a handle. Undefined when the handle was used, has expired, belongs to
   * another session or origin, or was never issued.
   */
  async find(session: Session, origin: string, handle: string) {
    const row = await FIND.find(this.dataSource, hashSecret(handle));
    if (row?.['session_hash'] !== session.tokenHash || row['origin'] !== origin) return undefined;
    if (Number(row['expires_at']) <= Date.now()) return undefined;
    return JSON.parse(String(row['request'])) as AuthorizationRequest;
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

  /**
   * Uses up a handle if its session is still active; otherwise the handle stays as it is. Of concurrent calls
   * exactly one returns true.
   */
  async take(session: Session, handle: string): Promise<boolean> {
    return (await TAKE.run(this.dataSource, takenHandle(session, handle))).affected === 1;
  }

  /**
   * Atomically uses up the handle, creates the grant, which expires with its code unless the code is exchanged,
   * and records that its client is in use. Returns false and changes nothing when the handle was already used,
   * the session has ended or the client is blocked. Of concurrent calls for a handle exactly one returns true.
   */
  async approve(session: Session, handle: string, grant: NewGrant, code: NewToken) {
    const { id, clientId, origin, resource, scope, app, redirectHost, published } = grant;
    const about = [id, clientId, origin, scope, app, redirectHost, published];
    const issued = [hashSecret(code.value), JSON.stringify(code.payload), code.expiresAt];
    const taken = takenHandle(session, handle);
    const values = [...taken, ...about, ...issued, resource];
    const write = async (on: DataSource | EntityManager) =>
      (await APPROVE.run(on, values)).affected === 1;
    // Outside a transaction, Postgres would complete the statement even if this process died before the result.
    const { type } = this.dataSource.options;
    return type === 'postgres' ? this.dataSource.transaction(write) : write(this.dataSource);
  }

  /**
   * Enforces the limits after a new grant by ending the grants that were idle longest: a client that registered
   * itself has one grant per user and resource, a published client up to 20, and a user up to 100 in all. It is a
   * separate statement after the one that inserts the grant: two concurrent inserts do not see each other, but
   * the later of the two calls to this method sees both. Returns the ids of the grants that this call ended.
   */
  async endOlder(
    { id: own, userId, clientId, resource, published }: Omit<NewGrant, 'redirectHost'>,
    on: DataSource | EntityManager = this.dataSource,
  ): Promise<string[]> {
    const beside = published === null ? 0 : MAX_GRANTS_PER_CLIENT - 1;
    const asked = [userId, clientId, Date.now(), beside, own, resource];
    const { rows } = await END_OLDER.run(on, asked);
    return rows.map(({ id }) => String(id));
  }
}
