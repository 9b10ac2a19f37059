import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, In, LessThan, MoreThan } from 'typeorm';
import { ACCOUNTS_OPTIONS, type AccountsOptions } from '../accounts.module-definition.js';
import {
  generateSessionId,
  generateSessionToken,
  LAST_SEEN_STEP_MS,
  type NewSession,
  type Session,
  sessionExpiry,
} from './session.js';
import { SessionEntity } from './session.entity.js';
import { UsersService } from '../user/user.store.js';
import { hashSecret } from '../secret.js';
import { findSessionExpiry, findSignedIn, type SignedIn } from './session.store.js';

/** Sessions in the database. Callers pass and get tokens; only hashes are stored. */
@Injectable()
export class SessionsService {
  constructor(
    @Inject(ACCOUNTS_OPTIONS) private readonly options: AccountsOptions,
    private readonly dataSource: DataSource,
    private readonly users: UsersService,
  ) {}

  /** Runs one statement, and at most every five minutes a second one that records the use of the session. */
  async find(token: string, origin: string): Promise<Session | undefined> {
    const now = Date.now();
    const found = await findSignedIn(this.dataSource, hashSecret(token));
    if (!found || found.origin !== origin || found.session.expiresAt <= now) return undefined;
    if (found.lastSeenAt <= now - LAST_SEEN_STEP_MS) await this.touch(found, now);
    return found.session;
  }

  /** Whether the session began with a recovery, so without a passkey. */
  async beganWithRecovery({ tokenHash, credentialId }: Session): Promise<boolean> {
    if (credentialId !== null) return false;
    return this.dataSource.manager.existsBy(SessionEntity, { tokenHash, beganBy: 'recovery' });
  }

  /** When the session with this hash expires; undefined when it has ended. */
  async expiryOf(tokenHash: string): Promise<number | undefined> {
    return findSessionExpiry(this.dataSource, tokenHash, Date.now());
  }

  /** Those of the given hashes whose sessions have not ended. */
  async activeAmong(tokenHashes: readonly string[]): Promise<ReadonlySet<string>> {
    const active = await this.dataSource.manager.find(SessionEntity, {
      select: { tokenHash: true },
      where: { tokenHash: In(tokenHashes), expiresAt: MoreThan(Date.now()) },
    });
    return new Set(active.map(({ tokenHash }) => tokenHash));
  }

  /**
   * Begins a session inside the caller's transaction and ends the one it replaces; returns its token. Throws
   * RefusalError 403 for a disabled account, also when a parallel transaction disables it.
   */
  async start(
    manager: EntityManager,
    session: NewSession,
    replaced: Pick<Session, 'tokenHash'> | undefined,
  ): Promise<string> {
    await this.users.expectEnabled(manager, session.userId);
    const token = generateSessionToken();
    if (replaced) await manager.delete(SessionEntity, { tokenHash: replaced.tokenHash });
    await manager.insert(SessionEntity, this.rowOf(session, token));
    return token;
  }

  /** The token of a session to begin, and the values for `sessionBeginning`. */
  prepare(
    session: NewSession,
    replaced: Pick<Session, 'tokenHash'> | undefined,
  ): { readonly token: string; readonly values: readonly unknown[] } {
    const token = generateSessionToken();
    const row = this.rowOf(session, token);
    const about = [row.origin, row.browser, row.beganBy, row.credentialId];
    const times = [row.createdAt, row.lastSeenAt, row.expiresAt];
    const replacedHash = replaced?.tokenHash ?? null;
    return { token, values: [replacedHash, row.tokenHash, row.id, row.userId, ...about, ...times] };
  }

  /** Ends the session of a token; returns it, if there was one. */
  async end(token: string, origin: string): Promise<Session | undefined> {
    const session = await this.find(token, origin);
    await this.dataSource.manager.delete(SessionEntity, { tokenHash: hashSecret(token), origin });
    return session;
  }

  private rowOf({ userId, origin, browser, began }: NewSession, token: string) {
    const now = Date.now();
    return {
      tokenHash: hashSecret(token),
      id: generateSessionId(),
      userId,
      origin,
      browser,
      beganBy: began.by,
      credentialId: began.by === 'recovery' ? null : began.credentialId,
      createdAt: now,
      lastSeenAt: now,
      expiresAt: sessionExpiry(now, now, this.options.sessionLifetimes),
    };
  }

  private async touch({ session, lastSeenAt }: SignedIn, now: number) {
    const { tokenHash, createdAt } = session;
    await this.dataSource.manager.update(
      SessionEntity,
      { tokenHash, lastSeenAt: LessThan(lastSeenAt + 1) },
      { lastSeenAt: now, expiresAt: sessionExpiry(createdAt, now, this.options.sessionLifetimes) },
    );
  }
}
