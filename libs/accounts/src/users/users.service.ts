import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { User } from './user.js';
import { UserEntity } from './user.entity.js';

@Injectable()
export class UsersService {
  constructor(private readonly dataSource: DataSource) {}

  async insert(manager: EntityManager, user: User) {
    await manager.insert(UserEntity, { ...user, createdAt: Date.now() });
  }

  /** Gives an account another display name, one that `parseDisplayName` made. False when it is gone. */
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
}
