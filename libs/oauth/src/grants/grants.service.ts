import { Injectable } from '@nestjs/common';
import { DataSource, IsNull, MoreThan } from 'typeorm';
import { ConsentEntity } from '../consents/consent.entity.js';
import { GrantEntity } from './grant.entity.js';

const MAX_LISTED = 100;

@Injectable()
export class GrantsService {
  constructor(private readonly dataSource: DataSource) {}

  /** A grant, active or not. Throws EntityNotFoundError. */
  async get(id: string): Promise<GrantEntity> {
    return this.dataSource.manager.findOneByOrFail(GrantEntity, { id });
  }

  async findActive(id: string): Promise<GrantEntity | undefined> {
    const active = { id, revokedAt: IsNull(), expiresAt: MoreThan(Date.now()) };
    return (await this.dataSource.manager.findOneBy(GrantEntity, active)) ?? undefined;
  }

  /** A user's active grants, newest first, 100 at most. */
  async listOf(userId: string): Promise<GrantEntity[]> {
    return this.dataSource.manager.find(GrantEntity, {
      where: { userId, revokedAt: IsNull(), expiresAt: MoreThan(Date.now()) },
      order: { createdAt: 'DESC', id: 'ASC' },
      take: MAX_LISTED,
    });
  }

  /**
   * One update that ends the grant and with it, on every replica, all its tokens and its code.
   * False when it was not active: of concurrent calls one gets true.
   */
  async revoke(id: string): Promise<boolean> {
    const now = Date.now();
    const ended = await this.dataSource.manager.update(
      GrantEntity,
      { id, revokedAt: IsNull(), expiresAt: MoreThan(now) },
      { revokedAt: now },
    );
    return ended.affected === 1;
  }

  /** The user disconnects the app: the grant ends, and so do consents that wait for an answer. */
  async disconnect(grant: GrantEntity): Promise<boolean> {
    const { id, userId, clientId } = grant;
    await this.dataSource.manager.delete(ConsentEntity, { userId, clientId });
    return this.revoke(id);
  }
}
