import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type Page, type PageRequest, readNewestFirst } from '#libs/platform';
import { RefusalError } from '../refusal.error.js';
import type { User } from './user.js';
import { UserEntity } from './user.entity.js';
import { UsersService } from './users.service.js';

/** An account as those see it who run the service. Times are epoch milliseconds. */
export interface UserRecord extends User {
  readonly createdAt: number;
  /** Null unless it is disabled. */
  readonly disabledAt: number | null;
}

/** Accounts for those who run the service. */
@Injectable()
export class UserDirectoryService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly users: UsersService,
  ) {}

  /**
   * Newest first; with `search` those with that id, or with that text in their display name, in small or
   * capital letters (on SQLite of ASCII alone). @throws UnknownPageError
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

  /** Does some work in a transaction, through which the account stays. Throws RefusalError 404. */
  async whileThere(id: string, work: (manager: EntityManager) => Promise<void>): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      if (!(await this.users.lock(manager, id))) throw unknownUser();
      await work(manager);
    });
  }
}

export const unknownUser = () => new RefusalError(404, 'there is no user of that id');
