import { Injectable } from '@nestjs/common';
import { DataSource, IsNull, MoreThan } from 'typeorm';
import { ConsentEntity } from '../consents/consent.entity.js';
import { GrantEntity } from '../grant/grant.entity.js';

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
   * Ends the grant in one update and with it, on every replica, all its tokens and its code.
   * False when it was not active. Of concurrent calls exactly one returns true.
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

  /** Disconnects the app: ends the grant and deletes the user's unanswered consents for the client. */
  async disconnect(grant: GrantEntity): Promise<boolean> {
    const { id, userId, clientId } = grant;
    await this.dataSource.manager.delete(ConsentEntity, { userId, clientId });
    return this.revoke(id);
  }
}
