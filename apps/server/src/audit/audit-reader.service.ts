import { Injectable } from '@nestjs/common';
import { DataSource, type SelectQueryBuilder } from 'typeorm';
import type { SecurityEventType } from '#libs/accounts';
import { type Page, type PageRequest, readNewestFirst } from '#libs/platform';
import { AuditEventEntity } from './audit-event.entity.js';

/** Conditions for a row; `since` and `until` are in epoch milliseconds, both inclusive. */
export interface AuditFilter {
  readonly user?: string | undefined;
  readonly type?: SecurityEventType | undefined;
  readonly client?: string | undefined;
  readonly request?: string | undefined;
  readonly network?: string | undefined;
  readonly actor?: string | undefined;
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

/** The filter members that compare one column for equality. */
const COLUMNS = {
  user: 'userId',
  type: 'type',
  client: 'clientId',
  request: 'requestId',
  network: 'network',
  actor: 'actor',
} as const satisfies Partial<Record<keyof AuditFilter, keyof AuditEventEntity>>;

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

  /** Rows with a later id, the earliest first. */
  async listLater(filter: AuditFilter, id: string, limit: number): Promise<AuditEventEntity[]> {
    return this.select(filter)
      .andWhere('event.id > :id', { id })
      .orderBy('event.id')
      .limit(limit)
      .getMany();
  }

  /** Whether the trail has a row about this account, even a deleted one. */
  async knowsUser(userId: string): Promise<boolean> {
    return this.dataSource.manager.existsBy(AuditEventEntity, { userId });
  }

  private select({ since, until, ...filter }: AuditFilter): SelectQueryBuilder<AuditEventEntity> {
    const query = this.dataSource.createQueryBuilder(AuditEventEntity, 'event');
    for (const [member, column] of Object.entries(COLUMNS)) {
      const value = filter[member as keyof typeof COLUMNS];
      if (value !== undefined) query.andWhere(`event.${column} = :${member}`, { [member]: value });
    }
    if (since !== undefined) query.andWhere('event.at >= :since', { since });
    if (until !== undefined) query.andWhere('event.at <= :until', { until });
    return query;
  }
}
