import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type Page, type PageRequest, readNewestFirst } from '#libs/platform';
import { RefusalError } from '../http/refusal.error.js';
import type { User } from './user.js';
import { UserEntity } from './user.entity.js';
import { UsersService } from './users.service.js';

/** An account as administrators see it. Times are epoch milliseconds. */
export interface UserRecord extends User {
  readonly createdAt: number;
  /** Null unless it is disabled. */
  readonly disabledAt: number | null;
}

/** Accounts for administrators. */
@Injectable()
export class UserDirectoryService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly users: UsersService,
  ) {}

  /**
   * Newest first; with `search` the accounts with that id, or with that text in their display name, ignoring case
   * (on SQLite that of ASCII letters only). @throws UnknownPageError
   */
  async list({ search, ...page }: PageRequest & { readonly search?: string | undefined }) {
    const query = this.dataSource.createQueryBuilder(UserEntity, 'user');
    if (search !== undefined) {
      const parameters = { search, pattern: `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%` };
      query.where(
        String.raw`(user.id = :search OR LOWER(user.displayName) LIKE LOWER(:pattern) ESCAPE '\')`,
        parameters,
      );
    }
    return (await readNewestFirst(query, page, 'createdAt')) satisfies Page<UserRecord>;
  }

  /** Throws RefusalError 404. */
  async get(id: string): Promise<UserRecord> {
    const found = await this.dataSource.manager.findOneBy(UserEntity, { id });
    if (!found) throw unknownUser();
    return found;
  }

  /** Runs `work` in a transaction that locks the account, so that it is not deleted. Throws RefusalError 404. */
  async whileThere(id: string, work: (manager: EntityManager) => Promise<void>): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      if (!(await this.users.lock(manager, id))) throw unknownUser();
      await work(manager);
    });
  }
}

export const unknownUser = () => new RefusalError(404, 'there is no user of that id');
