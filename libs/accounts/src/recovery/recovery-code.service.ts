import { Injectable } from '@nestjs/common';
import { Brackets, DataSource, type EntityManager, IsNull, MoreThan, Not } from 'typeorm';
import { type DependentSql, epochSeconds } from '#libs/platform';
import { generateReadableCode, hashReadableCode, inGroups } from '../secret.js';
import type { EndedSession } from '../security-event/security-event.service.js';
import { FreshnessService } from '../session/freshness.service.js';
import { type Session, signInFirst } from '../session/session.js';
import { SessionStore } from '../session/session.store.js';
import type { User } from '../user/user.js';
import { UserStore } from '../user/user.store.js';
import { RecoveryCodeEntity } from './recovery-code.entity.js';

const CODE_LENGTH = 24;
const LINK_CODE_LENGTH = 32;

/** How many codes a person has at a time. */
const CODES_PER_USER = 10;

/** Lifetime of an administrator's link. */
const LINK_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** 120 random bits in six groups, for a user to write down: `7Q2M-X0VK-…`. */
export const generateRecoveryCode = () => inGroups(generateReadableCode(CODE_LENGTH));

/** 160 random bits for the fragment of an administrator's link. */
export const generateLinkCode = () => generateReadableCode(LINK_CODE_LENGTH);

/**
 * Deletes the recovery link of an account, as one of the changes of a sign-in statement: an owner who has a passkey
 * no longer needs the link. `$n` is the account's id.
 */
export const recoveryLinkEnding =
  (n: number): DependentSql =>
  ({ decided }) =>
    `DELETE FROM recovery_codes WHERE user_id = $${n} AND expires_at IS NOT NULL AND ${decided}`;

/** State of a user's own codes; `createdAt` is epoch seconds, null when none were ever created. */
export interface RecoveryCodesState {
  readonly left: number;
  readonly createdAt: number | null;
}

/** Recovery codes, of users and of administrators' links: a code is returned once, only its hash is stored. */
@Injectable()
export class RecoveryCodesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly users: UserStore,
    private readonly sessions: SessionStore,
    private readonly freshness: FreshnessService,
  ) {}

  /**
   * Creates ten codes that work on `origin`. They replace all older ones, used or not, whatever their origin, and an
   * administrator's link; of parallel calls the codes of the last one are valid. Throws RefusalError 401 when the session has ended since it was read, and
   * 403 unless it is fresh.
   */
  async replace(session: Session, origin: string): Promise<string[]> {
    const codes = Array.from({ length: CODES_PER_USER }, generateRecoveryCode);
    const userId = session.user.id;
    await this.dataSource.transaction(async (manager) => {
      if (!(await this.sessions.lock(manager, session))) throw signInFirst();
      await this.freshness.expectInside(manager, session);
      await manager.delete(RecoveryCodeEntity, { userId });
      await insertCodes(manager, codes, { userId, origin, expiresAt: null });
    });
    return codes;
  }

  /** Of the codes that work on `origin`. */
  async stateOf(userId: string, origin: string): Promise<RecoveryCodesState> {
    const own = { userId, expiresAt: IsNull() };
    const codes = await this.dataSource.manager.findBy(RecoveryCodeEntity, [
      { ...own, origin },
      { ...own, origin: IsNull() },
    ]);
    const [code] = codes;
    if (!code) return { left: 0, createdAt: null };
    const left = codes.filter(({ usedAt }) => usedAt === null).length;
    return { left, createdAt: epochSeconds(code.createdAt) };
  }

  /** The owner of a code; undefined when the code is wrong, used, expired or of another origin. */
  async findOwner(codeHash: string, origin: string): Promise<User | undefined> {
    const found = await this.dataSource
      .createQueryBuilder(RecoveryCodeEntity, 'code')
      .innerJoinAndSelect('code.user', 'user')
      .where({ codeHash, usedAt: IsNull() })
      .andWhere(hasNotExpired('code.expiresAt'))
      .andWhere(worksOn(origin, 'code.origin'))
      .getOne();
    if (!found) return undefined;
    const { id, displayName } = found.user;
    return { id, displayName };
  }

  /** Uses a code up inside the caller's transaction. Of any number of calls with one code, one gets true. */
  async take(manager: EntityManager, codeHash: string): Promise<boolean> {
    const taken = await manager
      .createQueryBuilder()
      .update(RecoveryCodeEntity)
      .set({ usedAt: Date.now() })
      .where({ codeHash, usedAt: IsNull() })
      .andWhere(hasNotExpired('expires_at'))
      .execute();
    return taken.affected === 1;
  }

  /**
   * A code for an administrator's link, which recovers the account once, within 24 hours, unless its owner signs in
   * with a passkey or creates new codes first. It works on `origin`, or on all where that is null, and replaces that
   * of an earlier link. Undefined when the account does not exist or is disabled.
   */
  async createLinkCode(userId: string, origin: string | null): Promise<string | undefined> {
    return this.dataSource.transaction(async (manager) => {
      if (!(await this.users.lockEnabled(manager, userId))) return undefined;
      await this.deleteLink(manager, userId);
      const code = generateLinkCode();
      const expiresAt = Date.now() + LINK_LIFETIME_MS;
      await insertCodes(manager, [code], { userId, origin, expiresAt });
      return code;
    });
  }

  /** False when the account had no valid link. */
  async revokeLink(userId: string): Promise<boolean> {
    const valid = { userId, usedAt: IsNull(), expiresAt: MoreThan(Date.now()) };
    const revoked = await this.dataSource.manager.delete(RecoveryCodeEntity, valid);
    return revoked.affected === 1;
  }

  /**
   * Inside the transaction that adds the first passkey of an account: deletes its own codes, and ends the sessions
   * that began with a recovery, except `kept`; returns those. Without a passkey an external sign-in was enough to
   * make such codes, and they would remain a way in for an attacker who controls the provider.
   */
  async endForFirstPasskey(
    manager: EntityManager,
    { user, ...kept }: EndedSession,
  ): Promise<EndedSession[]> {
    await manager.delete(RecoveryCodeEntity, { userId: user.id, expiresAt: IsNull() });
    return this.sessions.endRecovered(manager, user, kept);
  }

  /** Deletes the link of an account inside the caller's transaction. */
  async deleteLink(manager: EntityManager, userId: string): Promise<void> {
    await manager.delete(RecoveryCodeEntity, { userId, expiresAt: Not(IsNull()) });
  }
}

const hasNotExpired = (column: string) =>
  new Brackets((where) => {
    where.where(`${column} IS NULL`).orWhere(`${column} > :now`, { now: Date.now() });
  });

const worksOn = (origin: string, column: string) =>
  new Brackets((where) => {
    where.where(`${column} IS NULL`).orWhere(`${column} = :origin`, { origin });
  });

/** Stores the hashes of new codes of an account; `expiresAt` is null for a user's own codes. */
async function insertCodes(
  manager: EntityManager,
  codes: readonly string[],
  common: Pick<RecoveryCodeEntity, 'userId' | 'origin' | 'expiresAt'>,
): Promise<void> {
  const row = { ...common, createdAt: Date.now(), usedAt: null };
  const rows = codes.map((code) => ({ ...row, codeHash: hashReadableCode(code) }));
  await manager.insert(RecoveryCodeEntity, rows);
}
