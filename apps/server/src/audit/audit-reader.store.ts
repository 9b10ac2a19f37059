import { Injectable } from '@nestjs/common';
import { DataSource, type SelectQueryBuilder } from 'typeorm';
import { type Activity, ActivityReader, type SecurityEventType } from '#libs/accounts';
import {
  column,
  type ListPage,
  type PageRequest,
  PreparedStatement,
  readNewestFirst,
  type Row,
} from '#libs/platform';
import { AuditEventEntity, PERSONAL } from './audit-event.entity.js';

/** The longest delay between an event, when its row gets its id, and the write of that row. */
const LATEST_MS = 60_000;
const BATCH = 500;

/** The lower bound of all version 7 UUIDs from that millisecond on (RFC 9562 §5.7). */
export function firstIdOf(at: number): string {
  const time = at.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

const COLUMNS = {
  user: 'userId',
  type: 'type',
  client: 'clientId',
  request: 'requestId',
  network: 'network',
  actor: 'actor',
} as const satisfies Record<string, keyof AuditEventEntity>;

/** Conditions for a row; `since` and `until` are in epoch milliseconds, both inclusive. */
export type AuditFilter = Partial<Record<keyof typeof COLUMNS, string | undefined>> &
  Partial<Record<'since' | 'until', number | undefined>>;

@Injectable()
export class AuditReader {
  constructor(private readonly dataSource: DataSource) {}

  /** Newest first. @throws NotFoundException */
  async list({
    limit,
    after,
    ...filter
  }: AuditFilter & PageRequest): Promise<ListPage<AuditEventEntity>> {
    return readNewestFirst(this.select(filter), { limit, after }, 'id');
  }

  /**
   * Yields the newest rows, the oldest of them first, and then every row that is written, each once. Replicas write
   * concurrently, so a row may appear after rows with later ids: each round reads the rows of the last minute again.
   * Goes on until `pause` resolves to false.
   */
  async *follow(filter: AuditFilter, limit: number, pause: () => Promise<boolean>) {
    const { items, next } = await this.list({ ...filter, limit });
    yield* items.toReversed();
    const seen = new Set(items.map(({ id }) => id));
    let leftOutUpTo = next ?? '';
    do {
      const floor = firstIdOf(Date.now() - LATEST_MS);
      for await (const row of this.laterThan(filter, floor)) {
        if (!seen.has(row.id) && row.id > leftOutUpTo) yield row;
        seen.add(row.id);
      }
      for (const id of seen) if (id <= floor) seen.delete(id);
      leftOutUpTo = '';
    } while (await pause());
  }

  private async *laterThan(filter: AuditFilter, from: string) {
    let after = from;
    let batch: readonly AuditEventEntity[];
    do {
      batch = await this.listLater(filter, after, BATCH);
      yield* batch;
      after = batch.at(-1)?.id ?? after;
    } while (batch.length === BATCH);
  }

  async listLater(filter: AuditFilter, id: string, limit: number): Promise<AuditEventEntity[]> {
    return this.select(filter)
      .andWhere('event.id > :id', { id })
      .orderBy('event.id')
      .limit(limit)
      .getMany();
  }

  async knowsUser(userId: string): Promise<boolean> {
    return this.dataSource.manager.existsBy(AuditEventEntity, { userId });
  }

  private select({ since, until, ...filter }: AuditFilter): SelectQueryBuilder<AuditEventEntity> {
    const query = this.dataSource.createQueryBuilder(AuditEventEntity, 'event');
    for (const [member, property] of Object.entries(COLUMNS)) {
      const value = filter[member as keyof typeof COLUMNS];
      if (value !== undefined)
        query.andWhere(`event.${property} = :${member}`, { [member]: value });
    }
    if (since !== undefined) {
      // Ids are in the order of time, so the bound ends the scan of the index that serves the filter.
      const first = firstIdOf(Math.max(0, since - LATEST_MS));
      query.andWhere('event.at >= :since', { since }).andWhere('event.id >= :first', { first });
    }
    if (until !== undefined) query.andWhere('event.at <= :until', { until });
    return query;
  }
}

/**
 * Served by the index `audit_events_personal`, whatever apps cause. Refusals of a disabled account are for operators.
 */
const FIND_ACTIVITY = new PreparedStatement<'userId'>(
  'account-activity',
  `SELECT type, at, last_at, app, client_id, browser FROM audit_events
   WHERE user_id = :userId AND ${PERSONAL}
   ORDER BY id DESC LIMIT 100`,
);

@Injectable()
export class AuditActivityReader extends ActivityReader {
  constructor(private readonly dataSource: DataSource) {
    super();
  }

  async list(userId: string): Promise<readonly Activity[]> {
    const { rows } = await FIND_ACTIVITY.run(this.dataSource, { userId });
    return rows.map(toActivity).toSorted((one, other) => other.at - one.at);
  }
}

/** Rows from before the `app` column existed hold the client's id in its place. */
const toActivity = (row: Row): Activity => ({
  type: column.text(row, 'type') as SecurityEventType,
  at: column.numberOrNull(row, 'last_at') ?? column.number(row, 'at'),
  app: column.textOrNull(row, 'app') || column.textOrNull(row, 'client_id'),
  browser: column.textOrNull(row, 'browser'),
});
