import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { epochSeconds } from '#libs/platform';
import { generateReadableCode, inGroups } from '../secret.js';
import type { EndedSession } from '../security-event/security-event.service.js';
import { FreshnessService } from '../session/freshness.service.js';
import { type Session, signInFirst } from '../session/session.js';
import { SessionStore } from '../session/session.store.js';
import { UserStore } from '../user/user.store.js';
import { RecoveryCodeStore } from './recovery-code.store.js';

const CODE_LENGTH = 24;
const LINK_CODE_LENGTH = 32;

const CODES_PER_USER = 10;

const LINK_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** 120 random bits in six groups, for a user to write down: `7Q2M-X0VK-…`. */
export const generateRecoveryCode = () => inGroups(generateReadableCode(CODE_LENGTH));

export const generateLinkCode = () => generateReadableCode(LINK_CODE_LENGTH);

/** Recovery codes, of users and of administrators' links: a code is returned once, only its hash is stored. */
@Injectable()
export class RecoveryCodesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly store: RecoveryCodeStore,
    private readonly users: UserStore,
    private readonly sessions: SessionStore,
    private readonly freshness: FreshnessService,
  ) {}

  /**
   * Creates ten codes that work on `origin`. They replace all older ones, used or not, whatever their origin, and an
   * administrator's link; of parallel calls the codes of the last one are valid. Throws RefusalError 401 when the
   * session has ended since it was read, and 403 unless it is fresh.
   */
  async replace(session: Session, origin: string): Promise<string[]> {
    const codes = Array.from({ length: CODES_PER_USER }, generateRecoveryCode);
    const userId = session.user.id;
    await this.dataSource.transaction(async (manager) => {
      if (!(await this.sessions.lock(manager, session))) throw signInFirst();
      await this.freshness.expect(session, undefined, manager);
      await this.store.deleteAll(manager, userId);
      await this.store.insert(manager, codes, { userId, origin, expiresAt: null });
    });
    return codes;
  }

  /** Of the codes that work on `origin`, or any; `createdAt` is epoch seconds, null when none were ever created. */
  async stateOf(userId: string, origin: string | undefined) {
    const codes = await this.store.listOwn(userId, origin);
    const [code] = codes;
    if (!code) return { left: 0, createdAt: null };
    const left = codes.filter(({ usedAt }) => usedAt === null).length;
    return { left, createdAt: epochSeconds(code.createdAt) };
  }

  /**
   * A code for a link that recovers the account once within 24 hours, unless its owner signs in or creates codes first.
   * It works on `origin`, null for all, in place of an earlier link. Undefined without an enabled account.
   */
  async createLinkCode(userId: string, origin: string | null): Promise<string | undefined> {
    return this.dataSource.transaction(async (manager) => {
      if (!(await this.users.lockEnabled(manager, userId))) return undefined;
      await this.store.deleteLink(manager, userId);
      const code = generateLinkCode();
      const expiresAt = Date.now() + LINK_LIFETIME_MS;
      await this.store.insert(manager, [code], { userId, origin, expiresAt });
      return code;
    });
  }

  /** False when the account had no valid link. */
  async revokeLink(userId: string): Promise<boolean> {
    return this.store.deleteValidLink(userId);
  }

  /**
   * Adding the first passkey deletes the account's codes and ends sessions that began with a recovery, except `kept`:
   * an external sign-in was enough to make such codes, a way in for an attacker who controls the provider.
   */
  async endForFirstPasskey(
    manager: EntityManager,
    { user, ...kept }: EndedSession,
  ): Promise<EndedSession[]> {
    await this.store.deleteOwn(manager, user.id);
    return this.sessions.endAll(manager, user, kept, { beganBy: 'recovery' });
  }
}
