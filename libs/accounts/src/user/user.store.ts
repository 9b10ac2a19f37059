import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, IsNull } from 'typeorm';
import { RefusalError } from '../http/refusal.error.js';
import type { User } from './user.js';
import { UserEntity } from './user.entity.js';

@Injectable()
export class UserStore {
  constructor(private readonly dataSource: DataSource) {}

  async insert(manager: EntityManager, user: User) {
    await manager.insert(UserEntity, { ...user, createdAt: Date.now(), disabledAt: null });
  }

  /** As `lock`, and throws AccountDisabledError when the account is disabled. */
  async expectEnabled(manager: EntityManager, userId: string) {
    if (await this.lockEnabled(manager, userId)) return true;
    if (!(await manager.existsBy(UserEntity, { id: userId }))) return false;
    throw new AccountDisabledError(userId);
  }

  /** Sets the display name, which `parseDisplayName` returned. False when the account no longer exists. */
  async rename({ id, displayName }: User): Promise<boolean> {
    const renamed = await this.dataSource.manager.update(UserEntity, { id }, { displayName });
    return renamed.affected === 1;
  }

  /**
   * Makes every other transaction that locks this user wait until this one ends.
   * Returns false when the user does not exist.
   */
  async lock(manager: EntityManager, userId: string) {
    const touched = await manager.update(UserEntity, { id: userId }, { id: userId });
    return touched.affected === 1;
  }

  /** As `lock`; also false for a disabled account. */
  async lockEnabled(manager: EntityManager, userId: string) {
    const enabled = { id: userId, disabledAt: IsNull() };
    const touched = await manager.update(UserEntity, enabled, { id: userId });
    return touched.affected === 1;
  }
}

/** 403 for an account that an administrator disabled. */
export class AccountDisabledError extends RefusalError {
  constructor(readonly userId: string) {
    super(403, 'this account is disabled; contact an administrator of this service');
  }
}
