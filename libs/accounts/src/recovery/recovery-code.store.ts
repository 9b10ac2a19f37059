import { Injectable } from '@nestjs/common';
import { Brackets, DataSource, type EntityManager, IsNull, MoreThan, Not } from 'typeorm';
import type { GuardedWrite } from '#libs/platform';
import { hashReadableCode } from '../secret.js';
import type { User } from '../user/user.js';
import { RecoveryCodeEntity } from './recovery-code.entity.js';

/** A write of a sign-in, with `recoveryLinkValues`: deletes the recovery link, which its owner no longer needs. */
export const END_RECOVERY_LINK: GuardedWrite = ({ guarded }) => `
  DELETE FROM recovery_codes WHERE user_id = :recoveryUserId AND expires_at IS NOT NULL AND ${guarded}`;

export const recoveryLinkValues = (recoveryUserId: string) => ({ recoveryUserId });

/** Recovery codes by their hashes: those of a user, and the one of an administrator's link, which expires. */
@Injectable()
export class RecoveryCodeStore {
  constructor(private readonly dataSource: DataSource) {}

  /** Stores the hashes of new codes of an account; `expiresAt` is null for a user's own codes. */
  async insert(
    manager: EntityManager,
    codes: readonly string[],
    common: Pick<RecoveryCodeEntity, 'userId' | 'origin' | 'expiresAt'>,
  ): Promise<void> {
    const row = { ...common, createdAt: Date.now(), usedAt: null };
    const rows = codes.map((code) => ({ ...row, codeHash: hashReadableCode(code) }));
    await manager.insert(RecoveryCodeEntity, rows);
  }

  /** A user's own codes that work on `origin`, or on any, used or not. */
  async listOwn(userId: string, origin: string | undefined): Promise<RecoveryCodeEntity[]> {
    const own = { userId, expiresAt: IsNull() };
    const there = [
      { ...own, origin },
      { ...own, origin: IsNull() },
    ];
    return this.dataSource.manager.findBy(RecoveryCodeEntity, origin === undefined ? own : there);
  }

  /** The owner of a code; undefined when the code is wrong, used, expired or of another origin. */
  async findOwner(codeHash: string, origin: string): Promise<User | undefined> {
    const found = await this.dataSource
      .createQueryBuilder(RecoveryCodeEntity, 'code')
      .innerJoinAndSelect('code.user', 'user')
      .where({ codeHash, usedAt: IsNull() })
      .andWhere(hasNotExpired('code.expiresAt'))
      .andWhere('(code.origin IS NULL OR code.origin = :origin)', { origin })
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

  async deleteAll(manager: EntityManager, userId: string): Promise<void> {
    await manager.delete(RecoveryCodeEntity, { userId });
  }

  async deleteOwn(manager: EntityManager, userId: string): Promise<void> {
    await manager.delete(RecoveryCodeEntity, { userId, expiresAt: IsNull() });
  }

  async deleteLink(manager: EntityManager, userId: string): Promise<void> {
    await manager.delete(RecoveryCodeEntity, { userId, expiresAt: Not(IsNull()) });
  }

  /** False when the account had no link that was valid. */
  async deleteValidLink(userId: string): Promise<boolean> {
    const valid = { userId, usedAt: IsNull(), expiresAt: MoreThan(Date.now()) };
    const deleted = await this.dataSource.manager.delete(RecoveryCodeEntity, valid);
    return deleted.affected === 1;
  }
}

const hasNotExpired = (column: string) =>
  new Brackets((where) => {
    where.where(`${column} IS NULL`).orWhere(`${column} > :now`, { now: Date.now() });
  });
