import type { Dialect } from '#libs/platform';

/** An event to be inserted into the outbox. */
export interface OutboxRow {
  readonly id: string;
  readonly queueId: string;
  readonly type: string;
  /** The delivered body, as JSON. */
  readonly body: string;
}

/** The parameter of the SQL below: rows in delivery order. */
export const toParameter = (rows: readonly OutboxRow[]) =>
  JSON.stringify(rows.map((row, n) => ({ n, ...row })));

const KEPT_MS = 34 * 24 * 60 * 60 * 1000;

const COUNTED = `n, id, "queueId" AS queue_id, type, body,
  ROW_NUMBER() OVER (PARTITION BY "queueId" ORDER BY n) AS nth,
  COUNT(*) OVER (PARTITION BY "queueId") AS of_queue`;

/** The rows of the parameter `$n`. */
const given = ({ type }: Dialect, parameter: string) =>
  type === 'postgres'
    ? `SELECT ${COUNTED} FROM json_to_recordset(CAST(${parameter} AS json))
         AS given(n integer, id text, "queueId" text, type text, body text)`
    : `SELECT ${COUNTED} FROM (SELECT value ->> 'n' AS n, value ->> 'id' AS id,
         value ->> 'queueId' AS "queueId", value ->> 'type' AS type, value ->> 'body' AS body
         FROM json_each(${parameter}) AS given)`;

const greatest = ({ type }: Dialect) => (type === 'postgres' ? 'GREATEST' : 'MAX');

/**
 * Advances the queues of the rows by as many positions as the rows take. The writer locks those queues until the end
 * of its transaction, so no later position becomes visible before an earlier one. Queues are locked in the order of
 * their ids, which prevents deadlocks between two writers.
 */
export const queuesOf = (dialect: Dialect, parameter: string) => `
  INSERT INTO outbox_queues (id, due_at, written)
  SELECT queue_id, now, now + of_queue
  FROM (SELECT ${dialect.now} AS now) AS given, (${given(dialect, parameter)}) AS keys
  WHERE nth = 1 ORDER BY queue_id
  ON CONFLICT (id) DO UPDATE SET written =
    ${greatest(dialect)}(outbox_queues.written, excluded.due_at) + excluded.written - excluded.due_at`;

/**
 * Inserts the rows at their positions; `queues` is the relation with the queues' current state. Existing rows stay.
 */
export const eventsOf = (dialect: Dialect, parameter: string, queues: string) => `
  INSERT INTO outbox_events (id, queue_id, place, type, body, created_at, expires_at)
  SELECT keys.id, queue_id, written - of_queue + nth, type, body, now, now + ${KEPT_MS}
  FROM (SELECT ${dialect.now} AS now) AS given, (${given(dialect, parameter)}) AS keys
    JOIN ${queues} AS queues ON queues.id = queue_id
  WHERE TRUE
  ON CONFLICT (id) DO NOTHING`;

const ids = ({ type }: Dialect, parameter: string) =>
  type === 'postgres'
    ? `SELECT value FROM json_array_elements_text(CAST(${parameter} AS json)) AS given(value)`
    : `SELECT value FROM json_each(${parameter}) AS given`;

/** Deletes the events with the ids of the parameter, a JSON array, that no delivery has been attempted for. */
export const without = (dialect: Dialect, parameter: string) => `
  DELETE FROM outbox_events
  WHERE id IN (${ids(dialect, parameter)}) AND attempts = 0 AND dead_at IS NULL`;
