import type { EventFacts } from '#libs/accounts';
import type { AuditEventEntity } from './audit-event.entity.js';
import type { DeliveredEvent } from '../outbox/event-sink.js';
import type { OutboxRow } from '../outbox/outbox-rows.sql.js';
import type { PendingRow } from './audit-row.js';

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
};

/**
 * The outbox event of an audit row. A counting row is a new event each time its count has grown. Events of one
 * account are delivered in order; events without an account independently of each other.
 */
export function toOutboxRow(row: AuditEventEntity): OutboxRow {
  const id = eventId(row.id, row.count);
  const body: Omit<DeliveredEvent, 'id'> = {
    type: row.type,
    timestamp: new Date(row.at).toISOString(),
    data: {
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
    },
  };
  return { id, queueId: row.userId ?? id, type: row.type, body: JSON.stringify(body, wellFormed) };
}

/**
 * The id of the previous event with a lower count, which the row's new event replaces; the first event stays, as it
 * tells when the counting began.
 */
export const outdatedBy = ({ row, writtenCount }: PendingRow<AuditEventEntity>): string[] =>
  writtenCount > 1 && writtenCount < row.count ? [eventId(row.id, writtenCount)] : [];

/** Replaces a lone surrogate, which truncation can leave at the end of a text and which databases reject. */
export const wellFormed = (_member: string, value: unknown) =>
  typeof value === 'string' ? value.toWellFormed() : value;
