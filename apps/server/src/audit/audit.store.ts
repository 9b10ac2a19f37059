import { type DataSource, getMetadataArgsStorage } from 'typeorm';
import type { EventFacts } from '#libs/accounts';
import { PreparedStatement } from '#libs/platform';
import type { DeliveredEvent } from '../outbox/event-sink.js';
import { type Copies, copiesOf } from '../outbox/outbox.service.js';
import {
  advanceQueues,
  deleteUnattempted,
  insertEvents,
  type OutboxRow,
  outboxValues,
  type OutboxValues,
} from '../outbox/outbox.store.js';
import type { PendingRow } from './audit-counters.js';
import { AuditEventEntity } from './audit-event.entity.js';

const eventId = (id: string, count: number) => (count === 1 ? id : `${id}-${count}`);

/** All event types have the same members. */
const NO_FACTS = {
  invite: null,
  host: null,
  event: null,
  limit: null,
  tool: null,
  outcome: null,
  reason: null,
  kind: null,
  name: null,
  title: null,
  page: null,
  pageTitle: null,
  approved: null,
  passkey: null,
  changed: null,
};

/** What a row says beside its type and time, as it is delivered and as administration lists it. */
export const eventData = (row: AuditEventEntity): DeliveredEvent['data'] => ({
  id: row.id,
  user: row.userId,
  client: row.clientId,
  app: row.app,
  grant: row.grantId,
  browser: row.browser,
  origin: row.origin || null,
  actor: row.actor,
  detail: row.detail,
  count: row.count,
  lastAt: row.lastAt === null ? null : new Date(row.lastAt).toISOString(),
  credits: row.credits,
  durationMs: row.durationMs,
  network: row.network,
  request: row.requestId,
  ...NO_FACTS,
  ...(JSON.parse(row.facts ?? '{}') as EventFacts),
});

/** The outbox event of an audit row: a new one each time its count has grown, in the order of its account. */
export function toOutboxRow(row: AuditEventEntity): OutboxRow {
  const id = eventId(row.id, row.count);
  const timestamp = new Date(row.at).toISOString();
  const body: Omit<DeliveredEvent, 'id'> = { type: row.type, timestamp, data: eventData(row) };
  return { id, queueId: row.userId ?? id, type: row.type, body: JSON.stringify(body, wellFormed) };
}

/** The id of the event with the count before, which is replaced; the first stays: it tells when counting began. */
export const outdatedBy = ({ row, toldCount }: PendingRow): string[] =>
  toldCount > 1 && toldCount < row.count ? [eventId(row.id, toldCount)] : [];

/** Replaces a lone surrogate, which truncation can leave at the end of a text and which databases reject. */
export const wellFormed = (_member: string, value: unknown) =>
  typeof value === 'string' ? value.toWellFormed() : value;

const COLUMNS = getMetadataArgsStorage()
  .filterColumns(AuditEventEntity)
  .map(({ propertyName: member, options: { name = member, type } }) => ({ name, member, type }));

const GROWING = ['count', 'last_at', 'browser', 'credits', 'duration_ms'];

const all = (of: (column: (typeof COLUMNS)[number]) => string) => COLUMNS.map(of).join(', ');

const insertion = (values: string) => `
  INSERT INTO audit_events (${all(({ name }) => name)}) ${values}
  ON CONFLICT (id) DO UPDATE SET ${GROWING.map((name) => `${name} = excluded.${name}`).join(', ')}`;

const INSERT_ON_POSTGRES = insertion(`SELECT given.* FROM json_to_recordset(CAST(:rows AS json))
  AS given(${all(({ member, type }) => `"${member}" ${String(type)}`)})`);

const INSERT_ON_SQLITE = insertion(`SELECT ${all(({ member }) => `value ->> '${member}'`)}
  FROM json_each(:rows) AS given WHERE TRUE`);

const INSERT = new PreparedStatement<'rows'>('insert-audit-rows', ({ type }) =>
  type === 'postgres' ? INSERT_ON_POSTGRES : INSERT_ON_SQLITE,
);

const INSERT_WITH_EVENTS = new PreparedStatement<'rows' | keyof OutboxValues>(
  'insert-audit-rows-and-events',
  (dialect) =>
    dialect.type === 'postgres'
      ? `
        WITH audited AS (${INSERT_ON_POSTGRES}), queues AS (${advanceQueues(dialect)} RETURNING id, written),
          outdated AS (${deleteUnattempted(dialect)})
        ${insertEvents(dialect, 'queues')}`
      : [
          INSERT_ON_SQLITE,
          advanceQueues(dialect),
          deleteUnattempted(dialect),
          insertEvents(dialect, 'outbox_queues'),
        ],
);

/**
 * Writes rows in one statement. For a row that already exists it updates the columns whose values may have grown.
 * Atomically with it the outbox gets an event of each row in `told` for each of `copies`, and loses the events
 * `outdated`.
 */
export async function insertAuditRows(
  dataSource: DataSource,
  rows: readonly AuditEventEntity[],
  copies: Copies,
  outdated: readonly string[] = [],
  told = rows,
): Promise<void> {
  const written = { rows: JSON.stringify(rows, wellFormed) };
  if (copies.length === 0 || told.length === 0) {
    await INSERT.run(dataSource, written);
    return;
  }
  const events = told.flatMap((row) => copiesOf(toOutboxRow(row), copies));
  const gone = outdated.flatMap((id) => copies.map((suffix) => id + suffix));
  await INSERT_WITH_EVENTS.run(dataSource, { ...written, ...outboxValues(events, gone) });
}
