import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
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
    user,
    type,
    since,
    ...page
  }: AuditFilter & PageRequest): Promise<Page<AuditEventEntity>> {
    const query = this.dataSource.createQueryBuilder(AuditEventEntity, 'event');
    if (user !== undefined) query.andWhere('event.userId = :user', { user });
    if (type !== undefined) query.andWhere('event.type = :type', { type });
    if (since !== undefined) query.andWhere('event.at >= :since', { since });
    return readNewestFirst(query, page, 'id');
  }
}
