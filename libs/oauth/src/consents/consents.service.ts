import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, MoreThan } from 'typeorm';
import { hashSecret, lockSession, type Session } from '#libs/accounts';
import { PreparedStatement } from '#libs/database';
import type { AuthorizationRequest } from './authorization-request.js';
import { ConsentEntity } from './consent.entity.js';

const LIFETIME_MS = 10 * 60 * 1000;
const HANDLE_BYTES = 32;
const HANDLE = /^[\w-]{43}$/;

type HandleFault = 'noForm' | 'formGone' | 'formExpired' | 'otherSession';

/** What came of taking a handle. */
export type Taking = 'taken' | 'gone' | 'signed-out';

/** Whoever deletes or disables the account waits, and leaves none behind. */
const BEGIN = new PreparedStatement(
  'begin-consent',
  ({ forShare }) => `
    INSERT INTO oauth_consents (handle_hash, user_id, session_hash, origin, client_id, request, expires_at)
    SELECT $1, id, $3, $4, $5, $6, CAST($7 AS bigint)
    FROM users WHERE id = $2 AND disabled_at IS NULL ${forShare}`,
);

/** Consent forms that wait for their answer, each bound to the session it was shown to. */
@Injectable()
export class ConsentsService {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Begins a consent and returns its handle, the secret in the form; undefined when the account went, or was
   * disabled, meanwhile.
   */
  async begin(
    session: Session,
    origin: string,
    request: AuthorizationRequest,
  ): Promise<string | undefined> {
    const handle = randomBytes(HANDLE_BYTES).toString('base64url');
    const { affected } = await BEGIN.run(this.dataSource, [
      hashSecret(handle),
      session.user.id,
      session.tokenHash,
      origin,
      request.clientId,
      JSON.stringify(request),
      Date.now() + LIFETIME_MS,
    ]);
    return affected === 1 ? handle : undefined;
  }

  /**
   * The authorization request behind a handle. Undefined when it was taken, has expired, is somebody
   * else's or was never given.
   */
  async find(session: Session, origin: string, handle: string) {
    const shown = {
      handleHash: hashSecret(handle),
      sessionHash: session.tokenHash,
      origin,
      expiresAt: MoreThan(Date.now()),
    };
    const found = await this.dataSource.manager.findOneBy(ConsentEntity, shown);
    return found ? (found.request as unknown as AuthorizationRequest) : undefined;
  }

  /**
   * Why a handle was not found. Of one that was used, forged or swept nothing is left to tell; that
   * another one exists is told only to who holds it, and it stays good for its own session alone.
   */
  async whyRefused({ tokenHash }: Session, handle: string): Promise<HandleFault> {
    if (!HANDLE.test(handle)) return 'noForm';
    const handleHash = hashSecret(handle);
    const left = await this.dataSource.manager.findOneBy(ConsentEntity, { handleHash });
    if (!left) return 'formGone';
    return left.sessionHash === tokenHash ? 'formExpired' : 'otherSession';
  }

  /**
   * Uses a handle up that was found, while its session goes on: one that ended meanwhile leaves it as
   * it is. Of concurrent calls exactly one gets `taken`.
   */
  async take(session: Session, handle: string): Promise<Taking> {
    const handleHash = hashSecret(handle);
    return this.dataSource.transaction(async (manager) => {
      if (!(await lockSession(manager, session))) return 'signed-out';
      const taken = await manager.delete(ConsentEntity, { handleHash });
      return taken.affected === 1 ? 'taken' : 'gone';
    });
  }
}
