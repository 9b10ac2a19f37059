import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { RefusalError } from '#libs/accounts';
import { type Page, type PageRequest, readNewestFirst } from '#libs/platform';
import { GrantEntity } from '../grant/grant.entity.js';
import { GrantStore } from '../grant/grant.store.js';

/** A grant as administrators see it. Times are epoch milliseconds. */
export type GrantRecord = Pick<
  GrantEntity,
  'id' | 'userId' | 'clientId' | 'app' | 'redirectHost' | 'createdAt' | 'lastUsedAt' | 'expiresAt'
> & { readonly scope: readonly string[] };

/** Lists and revokes connected apps for administrators. */
@Injectable()
export class GrantsDirectoryService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly grants: GrantStore,
  ) {}

  /** A user's active grants, newest first. @throws UnknownPageError */
  async list({
    user,
    ...page
  }: PageRequest & { readonly user: string }): Promise<Page<GrantRecord>> {
    const query = this.dataSource
      .createQueryBuilder(GrantEntity, 'app')
      .where('app.userId = :user', { user })
      .andWhere('app.revokedAt IS NULL AND app.expiresAt > :now', { now: Date.now() });
    const { items, next } = await readNewestFirst(query, page, 'createdAt');
    return { items: items.map(toRecord), next };
  }

  /** An active grant. Throws RefusalError 404. */
  async get(id: string): Promise<GrantRecord> {
    const found = await this.grants.findActive(id);
    if (!found) throw unknownApp();
    return toRecord(found);
  }

  /** Ends a grant as its user would, and returns it. Throws RefusalError 404, for all but one of parallel calls. */
  async revoke(id: string): Promise<GrantRecord> {
    const found = await this.grants.findActive(id);
    if (!found || !(await this.grants.disconnect(found))) throw unknownApp();
    return toRecord(found);
  }
}

const unknownApp = () => new RefusalError(404, 'there is no connected app of that id');

const toRecord = ({ scope, ...grant }: GrantEntity): GrantRecord => ({
  ...grant,
  scope: scope.split(' ').filter(Boolean),
});
