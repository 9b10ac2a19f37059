import { Injectable } from '@nestjs/common';
import { DataSource, type SelectQueryBuilder } from 'typeorm';
import type { SecurityEventType } from '#libs/accounts';
import { type Page, type PageRequest, readNewestFirst } from '#libs/database';
import { AuditEventEntity } from './audit-event.entity.js';

/** What has to be true of a row; `since` is in epoch milliseconds. */
export interface AuditFilter {
  readonly user?: string | undefined;
  readonly type?: SecurityEventType | undefined;
  readonly since?: number | undefined;
}

/** Reads the audit trail. */
@Injectable()
export class AuditReaderService {
  constructor(private readonly dataSource: DataSource) {}

  /** Newest first. @throws UnknownPageError */
  async list({
    limit,
    after,
    ...filter
  }: AuditFilter & PageRequest): Promise<Page<AuditEventEntity>> {
    return readNewestFirst(this.select(filter), { limit, after }, 'id');
  }

  /** Those with a later id, the earliest first. */
  async listLater(filter: AuditFilter, id: string, limit: number): Promise<AuditEventEntity[]> {
    return this.select(filter)
      .andWhere('event.id > :id', { id })
      .orderBy('event.id')
      .limit(limit)
      .getMany();
  }

  private select({ user, type, since }: AuditFilter): SelectQueryBuilder<AuditEventEntity> {
    const query = this.dataSource.createQueryBuilder(AuditEventEntity, 'event');
    if (user !== undefined) query.andWhere('event.userId = :user', { user });
    if (type !== undefined) query.andWhere('event.type = :type', { type });
    if (since !== undefined) query.andWhere('event.at >= :since', { since });
    return query;
  }
}
