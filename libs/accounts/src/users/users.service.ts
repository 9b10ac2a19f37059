import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { User } from './user.js';
import { UserEntity } from './user.entity.js';

@Injectable()
export class UsersService {
  async insert(manager: EntityManager, user: User) {
    await manager.insert(UserEntity, { ...user, createdAt: Date.now() });
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
