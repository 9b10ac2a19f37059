import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ACCOUNTS_OPTIONS, type AccountsOptions } from '../accounts.module-definition.js';
import { generateId, hashSecret } from '../secret.js';
import { UserStore } from '../user/user.store.js';
import { generateSessionToken, type NewSession, type Session } from './session.js';
import { type SessionRow, SessionStore, sessionValues } from './session.store.js';

/** `lastSeenAt` is written at most this often, so that reading a session rarely needs a write. */
const LAST_SEEN_STEP_MS = 5 * 60 * 1000;

/** Begins, finds and ends sessions by their tokens; only hashes of tokens are stored. */
@Injectable()
export class SessionsService {
  constructor(
    @Inject(ACCOUNTS_OPTIONS) private readonly options: AccountsOptions,
    private readonly store: SessionStore,
    private readonly users: UserStore,
  ) {}

  /** Runs one statement, and at most every five minutes a second one that records the use of the session. */
  async find(token: string, origin: string): Promise<Session | undefined> {
    const now = Date.now();
    const found = await this.store.find(hashSecret(token));
    if (!found || found.origin !== origin || found.session.expiresAt <= now) return undefined;
    if (found.lastSeenAt <= now - LAST_SEEN_STEP_MS) {
      const { createdAt } = found.session;
      await this.store.touch(found, now, this.expiryOf(createdAt, now));
    }
    return found.session;
  }

  /**
   * Begins a session inside the caller's transaction and ends the one it replaces; returns its token. Throws
   * RefusalError 403 for a disabled account, also when a parallel transaction disables it.
   */
  async start(manager: EntityManager, session: NewSession): Promise<string> {
    await this.users.expectEnabled(manager, session.userId);
    const token = generateSessionToken();
    await this.store.insert(manager, this.rowOf(session, token), session.carried);
    return token;
  }

  /** A session to begin: its token, with the hash of that, and the values for `sessionBeginning`. */
  prepare(session: NewSession) {
    const token = generateSessionToken();
    const row = this.rowOf(session, token);
    return { token, tokenHash: row.tokenHash, values: sessionValues(row, session.carried) };
  }

  /** Ends the session of a token; returns it, if there was one. */
  async end(token: string, origin: string): Promise<Session | undefined> {
    const session = await this.find(token, origin);
    await this.store.delete(hashSecret(token), origin);
    return session;
  }

  private rowOf({ userId, origin, browser, began }: NewSession, token: string): SessionRow {
    const now = Date.now();
    return {
      tokenHash: hashSecret(token),
      id: generateId(),
      userId,
      origin,
      browser,
      beganBy: began.by,
      credentialId: 'credentialId' in began ? began.credentialId : null,
      createdAt: now,
      lastSeenAt: now,
      expiresAt: this.expiryOf(now, now),
    };
  }

  /** When a session expires if it is not used after `lastSeenAt`. */
  private expiryOf(createdAt: number, lastSeenAt: number) {
    const { idleMs, maxMs } = this.options.sessionLifetimes;
    return Math.min(createdAt + maxMs, lastSeenAt + idleMs);
  }
}
