import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import {
  FreshnessService,
  RecoveryCodesService,
  SessionStore,
  signInFirst,
  type EndedSession,
  RefusalError,
  type Session,
  UserDeletionService,
} from '#libs/accounts';
import { MAX_CREDENTIALS_PER_USER, type NewCredential } from './credential.js';
import { CredentialStore, insertTombstones, noSuchPasskey } from './credential.store.js';

/** Adds and deletes passkeys of an account. Parallel calls for one account run one after the other. */
@Injectable()
export class CredentialsService implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly store: CredentialStore,
    private readonly sessions: SessionStore,
    private readonly deletions: UserDeletionService,
    private readonly freshness: FreshnessService,
    private readonly recoveries: RecoveryCodesService,
  ) {}

  /** When an account is deleted, its tombstones stay, those of its last credentials included. */
  onModuleInit() {
    this.deletions.before(async (manager, userId) => {
      await insertTombstones(manager, userId, await this.store.idsOf(manager, userId));
    });
    this.freshness.askForPasskeys((userId, manager) => this.store.hasAny(userId, manager));
  }

  /**
   * Throws RefusalError 403 unless the session began at most `maxAgeMs` ago, where that is set. One of an external
   * sign-in has to be fresh in any case, so that it adds the first credential only.
   */
  async expectFreshToAdd(session: Session, maxAgeMs?: number, manager?: EntityManager) {
    if (maxAgeMs === undefined && session.beganBy !== 'external') return;
    await this.freshness.expect(session, maxAgeMs, manager);
  }

  /**
   * Adds a credential and returns the sessions that the first one ends (`endForFirstPasskey`). Throws RefusalError 403,
   * for an external session that is fresh no longer and when the session has ended, and 409.
   */
  async add(session: Session, credential: NewCredential): Promise<EndedSession[]> {
    const userId = session.user.id;
    return this.dataSource.transaction(async (manager) => {
      if (!(await this.sessions.lock(manager, session))) throw signInAgain();
      await this.expectFreshToAdd(session, undefined, manager);
      const existing = await this.store.idsOf(manager, userId);
      if (existing.length >= MAX_CREDENTIALS_PER_USER) throw accountIsFull();
      await this.store.insert(manager, { ...credential, userId });
      return existing.length > 0 ? [] : this.recoveries.endForFirstPasskey(manager, session);
    });
  }

  /** Deletes a passkey and ends the other sessions that began with it. Throws RefusalError 404, 403, 401, 409. */
  async delete(session: Session, id: string): Promise<EndedSession[]> {
    const { user } = session;
    // The id has to be the account's (404) before the session has to be fresh (403).
    await this.store.get(user.id, id);
    await this.freshness.expect(session);
    return this.dataSource.transaction(async (manager) => {
      if (!(await this.sessions.lock(manager, session))) throw signInFirst();
      const existing = await this.store.idsOf(manager, user.id);
      if (!existing.includes(id)) throw noSuchPasskey();
      if (existing.length === 1) throw lastPasskey();
      await insertTombstones(manager, user.id, [id]);
      await this.store.delete(manager, id);
      return this.sessions.endBegunWith(manager, user, id, session);
    });
  }
}

export const signInAgain = () => new RefusalError(403, 'sign in again to add a passkey');

export const accountIsFull = () =>
  new RefusalError(
    409,
    `this account has ${MAX_CREDENTIALS_PER_USER} passkeys already, which is the maximum; remove one to add another`,
  );

const lastPasskey = () =>
  new RefusalError(
    409,
    'this is your last passkey, and you could not sign in without it; add another one first',
  );
