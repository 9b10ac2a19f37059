import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, IsNull } from 'typeorm';
import { type ListPage, type PageRequest, readNewestFirst } from '#libs/platform';
import { RefusalError } from '../http/refusal.error.js';
import type { User } from './user.js';
import { UserEntity } from './user.entity.js';

/** With `search` only the accounts with that id, or with that text in their display name. */
export interface UserPageRequest extends PageRequest {
  readonly search?: string | undefined;
}

@Injectable()
export class UserStore {
  constructor(private readonly dataSource: DataSource) {}

  async insert(manager: EntityManager, user: User) {
    await manager.insert(UserEntity, { ...user, createdAt: Date.now(), disabledAt: null });
  }

  async find(id: string): Promise<UserEntity | undefined> {
    return (await this.dataSource.manager.findOneBy(UserEntity, { id })) ?? undefined;
  }

  /** Newest first; a search ignores case (on SQLite that of ASCII letters only). @throws NotFoundException */
  async list({ search, ...page }: UserPageRequest): Promise<ListPage<UserEntity>> {
    const query = this.dataSource.createQueryBuilder(UserEntity, 'user');
    if (search !== undefined) {
      const parameters = { search, pattern: `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%` };
      query.where(
        String.raw`(user.id = :search OR LOWER(user.displayName) LIKE LOWER(:pattern) ESCAPE '\')`,
        parameters,
      );
    }
    return readNewestFirst(query, page, 'createdAt');
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

  async disable(manager: EntityManager, id: string): Promise<UserEntity | null> {
    const enabled = { id, disabledAt: IsNull() };
    await manager.update(UserEntity, enabled, { disabledAt: Date.now() });
    return manager.findOneBy(UserEntity, { id });
  }

  async enable(id: string): Promise<boolean> {
    const enabled = await this.dataSource.manager.update(UserEntity, { id }, { disabledAt: null });
    return enabled.affected === 1;
  }

  async delete(manager: EntityManager, id: string): Promise<void> {
    await manager.delete(UserEntity, { id });
  }

  /** Makes other transactions that lock this user wait until this one ends. False when the user does not exist. */
  async lock(manager: EntityManager, userId: string) {
    const touched = await manager.update(UserEntity, { id: userId }, { id: userId });
    return touched.affected === 1;
  }

  /**
   * As `lock`, and locks the user of the carried session too, which the caller's transaction ends. In one order: two
   * sign-ins that carry each other's session would wait for each other.
   */
  async lockWithCarried(manager: EntityManager, userId: string, carried: User | undefined) {
    const ids = new Set([userId, carried?.id ?? userId]);
    let isUser = false;
    for (const id of [...ids].toSorted()) {
      const exists = await this.lock(manager, id);
      if (id === userId) isUser = exists;
    }
    return isUser;
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
