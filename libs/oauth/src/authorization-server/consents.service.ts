import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { hashSecret, type Session } from '#libs/accounts';
import { BatchedRead, PreparedStatement, changesOf } from '#libs/platform';
import type { AuthorizationRequest } from '../consents/authorization-request.js';
import { redirectHostOf } from '../client/redirect-uri.js';
import { ConsentEntity } from '../consents/consent.entity.js';
import { blocked } from '../client/client-block.store.js';
import { takeHandle, takenHandle } from '../consents/taken-handle.sql.js';

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

/** Unanswered consent forms, each bound to the session it was shown to. */
@Injectable()
export class ConsentsService {
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
}
