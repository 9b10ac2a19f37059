import type { DataSource } from 'typeorm';
import { type Dialect, PreparedStatement } from '#libs/platform';

interface Event {
  readonly id: string;
  readonly queueId: string;
}

const given = ({ type }: Dialect, member: string) =>
  type === 'postgres'
    ? `SELECT DISTINCT value ->> '${member}' AS id FROM json_array_elements(CAST($1 AS json)) AS given`
    : `SELECT DISTINCT value ->> '${member}' AS id FROM json_each($1) AS given`;

/**
 * Makes the queues due now, unless a replica holds them. `written` is increased, so that a concurrent finish does not
 * delete the queue.
 */
const QUEUES = new PreparedStatement(
  'outbox-retry-queues',
  (dialect) => `
  INSERT INTO outbox_queues (id, due_at, written)
  SELECT id, now, now FROM (${given(dialect, 'queueId')}) AS keys, (SELECT ${dialect.now} AS now) AS given
  WHERE TRUE ORDER BY id
  ON CONFLICT (id) DO UPDATE SET written = outbox_queues.written + 1,
    due_at = CASE WHEN outbox_queues.claim IS NULL THEN excluded.due_at ELSE outbox_queues.due_at END`,
);

const EVENTS = new PreparedStatement(
  'outbox-retry-events',
  (dialect) => `
  UPDATE outbox_events SET attempts = 0, dead_at = NULL WHERE id IN (${given(dialect, 'id')})`,
);

/** Delivers the events again in their old positions, as if they had never failed. */
export const retryEvents = (dataSource: DataSource, events: readonly Event[]): Promise<void> =>
  dataSource.transaction(async (manager) => {
    const parameter = JSON.stringify(events.map(({ id, queueId }) => ({ id, queueId })));
    await QUEUES.run(manager, [parameter]);
    await EVENTS.run(manager, [parameter]);
  });

const later = ({ now, type }: Dialect) => `
  SELECT id FROM outbox_queues WHERE due_at > (SELECT ${now}) AND claim IS NULL LIMIT $1
  ${type === 'postgres' ? 'FOR UPDATE SKIP LOCKED' : ''}`;

const HASTEN = new PreparedStatement('outbox-hasten', (dialect) => {
  const ids = later(dialect);
  return `UPDATE outbox_queues SET due_at = ${dialect.now}
    WHERE id ${dialect.type === 'postgres' ? `= ANY(ARRAY(${ids}))` : `IN (${ids})`}`;
});

/** Makes up to `most` waiting queues due now; returns how many. */
export async function hastenQueues(dataSource: DataSource, most: number): Promise<number> {
  return (await HASTEN.run(dataSource, [most])).affected;
}
