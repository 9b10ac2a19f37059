import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { guardedChanges, type Dialect, PreparedStatement } from '#libs/platform';

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

/** How long a replica's claim of a queue lasts. */
export const LEASE_MS = 30_000;

/** An older event is given up at its next failure: all attempts of one event take 76 to 83 hours. */
const GIVEN_UP_MS = 84 * 60 * 60 * 1000;
const MOST_GIVEN_UP = 1_000;

/** How long a given-up event is kept. */
const DEAD_MS = 30 * 24 * 60 * 60 * 1000;

/** How many events of a queue one statement reads. */
const BATCH = 10;

/** Condition for the queues of a SELECT; Postgres skips those that another transaction has locked. */
const isIn = ({ type }: Dialect, select: string) =>
  type === 'postgres' ? `id = ANY(ARRAY(${select} FOR UPDATE SKIP LOCKED))` : `id IN (${select})`;

/**
 * The `+ 1` allows for rounded times, so that a queue made due just now is found. The clock is read in a subquery,
 * once, so that the index can bound the scan.
 */
const due = ({ now }: Dialect) =>
  `SELECT id FROM outbox_queues WHERE due_at <= (SELECT ${now} + 1) ORDER BY due_at LIMIT $2`;

const CLAIM = new PreparedStatement(
  'outbox-claim',
  (dialect) => `
  UPDATE outbox_queues SET due_at = ${dialect.now} + ${LEASE_MS}, claim = $1
  WHERE ${isIn(dialect, due(dialect))} RETURNING id, written`,
);

const NEXT = new PreparedStatement(
  'outbox-next',
  ({ now }) => `SELECT id, body, attempts, created_at <= ${now} - ${GIVEN_UP_MS} AS late
  FROM outbox_events WHERE queue_id = $1 AND dead_at IS NULL ORDER BY place LIMIT ${BATCH}`,
);

const DELIVERED = new PreparedStatement(
  'outbox-delivered',
  'DELETE FROM outbox_events WHERE id = $1',
);

/**
 * Deletes the queue if no event is left and none was written since the claim. The compared `written` also reveals
 * events that an older snapshot does not show.
 */
const FINISH = new PreparedStatement(
  'outbox-finish',
  `DELETE FROM outbox_queues WHERE id = $1 AND claim = $2 AND written = CAST($3 AS bigint)
    AND NOT EXISTS (SELECT 1 FROM outbox_events WHERE queue_id = $1 AND dead_at IS NULL)`,
);

const giveBack = ({ now }: Dialect) => `
  UPDATE outbox_queues SET due_at = ${now} + CAST($3 AS bigint), claim = NULL WHERE id = $1 AND claim = $2`;

const RELEASE = new PreparedStatement('outbox-release', giveBack);

const FAIL = new PreparedStatement(
  'outbox-fail',
  guardedChanges(
    giveBack,
    ({ guarded }) => `
      UPDATE outbox_events SET attempts = attempts + 1, failure = $5 WHERE id = $4 AND ${guarded}`,
  ),
);

const GIVE_UP = new PreparedStatement(
  'outbox-give-up',
  guardedChanges(
    giveBack,
    ({ now, guarded }) => `
      UPDATE outbox_events SET attempts = attempts + 1, failure = $5, dead_at = ${now},
        expires_at = ${now} + ${DEAD_MS}
      WHERE ${guarded} AND id IN (
        SELECT id FROM outbox_events WHERE queue_id = $1 AND dead_at IS NULL
          AND (id = $4 OR (failure IS NULL AND created_at <= ${now} - ${GIVEN_UP_MS}))
        ORDER BY place LIMIT ${MOST_GIVEN_UP})`,
  ),
);

/** A queue that this replica has claimed, until it releases it or `LEASE_MS` have passed. */
export interface ClaimedQueue {
  readonly id: string;
  readonly claim: string;
  readonly written: string | number;
}

export interface WaitingEvent {
  readonly id: string;
  /** JSON. */
  readonly body: string;
  /** The number of failed attempts. */
  readonly attempts: number;
  /** Whether it has waited for longer than all attempts take. */
  readonly isLate: boolean;
}

/**
 * Claims queues for replicas. Two replicas never hold the same queue, except after a lease has expired; changes by
 * the replica that lost the lease then have no effect.
 */
@Injectable()
export class OutboxClaims {
  constructor(private readonly dataSource: DataSource) {}

  /** Claims queues whose next attempt is due, the one that has waited longest first. */
  async claim(most: number): Promise<ClaimedQueue[]> {
    const claim = randomUUID();
    const { rows } = await CLAIM.run(this.dataSource, [claim, most]);
    return rows.map(({ id, written }) => ({ id, written, claim }) as ClaimedQueue);
  }

  /** The first events of a queue, in order. */
  async next({ id }: ClaimedQueue): Promise<WaitingEvent[]> {
    const { rows } = await NEXT.run(this.dataSource, [id]);
    return rows.map(
      ({ id: event, body, attempts, late }) =>
        ({ id: event, body, attempts, isLate: Boolean(late) }) as WaitingEvent,
    );
  }

  async delivered(event: WaitingEvent): Promise<void> {
    await DELIVERED.run(this.dataSource, [event.id]);
  }

  /** Deletes an empty queue. Returns false where an event is left: the queue then stays claimed. */
  async finish({ id, claim, written }: ClaimedQueue): Promise<boolean> {
    const { affected } = await FINISH.run(this.dataSource, [id, claim, written]);
    return affected > 0;
  }

  /** Releases the queue with its remaining events; any replica may claim it at once. */
  async release({ id, claim }: ClaimedQueue): Promise<void> {
    await RELEASE.run(this.dataSource, [id, claim, 0]);
  }

  /** Releases the queue and keeps its first event, which is due again after `pauseMs`. */
  async fail({ id, claim }: ClaimedQueue, event: WaitingEvent, why: string, pauseMs: number) {
    await FAIL.run(this.dataSource, [id, claim, pauseMs, event.id, why]);
  }

  /**
   * Releases the queue and gives up its first event, together with the others that have waited for too long. An event
   * that was given up before and is being retried still gets an attempt of its own.
   */
  async giveUp({ id, claim }: ClaimedQueue, event: WaitingEvent, why: string) {
    await GIVE_UP.run(this.dataSource, [id, claim, 0, event.id, why]);
  }
}

/**
 * Makes the queues due now, unless a replica holds them. `written` is increased, so that a concurrent finish does not
 * delete the queue.
 */
const QUEUES = new PreparedStatement(
  'outbox-retry-queues',
  (dialect) => `
  INSERT INTO outbox_queues (id, due_at, written)
  SELECT value, now, now FROM (${ids(dialect, '$1')}) AS keys, (SELECT ${dialect.now} AS now) AS given
  WHERE TRUE ORDER BY value
  ON CONFLICT (id) DO UPDATE SET written = outbox_queues.written + 1,
    due_at = CASE WHEN outbox_queues.claim IS NULL THEN excluded.due_at ELSE outbox_queues.due_at END`,
);

const EVENTS = new PreparedStatement(
  'outbox-retry-events',
  (dialect) => `
  UPDATE outbox_events SET attempts = 0, dead_at = NULL WHERE id IN (${ids(dialect, '$1')})`,
);

/** Delivers the events again in their old positions, as if they had never failed. */
export const retryEvents = (
  dataSource: DataSource,
  events: readonly Pick<OutboxRow, 'id' | 'queueId'>[],
): Promise<void> =>
  dataSource.transaction(async (manager) => {
    const queueIds = new Set(events.map(({ queueId }) => queueId));
    await QUEUES.run(manager, [JSON.stringify([...queueIds])]);
    await EVENTS.run(manager, [JSON.stringify(events.map(({ id }) => id))]);
  });

const later = ({ now }: Dialect) =>
  `SELECT id FROM outbox_queues WHERE due_at > (SELECT ${now}) AND claim IS NULL LIMIT $1`;

const HASTEN = new PreparedStatement(
  'outbox-hasten',
  (dialect) => `
  UPDATE outbox_queues SET due_at = ${dialect.now} WHERE ${isIn(dialect, later(dialect))}`,
);

/** Makes up to `most` waiting queues due now; returns how many. */
export async function hastenQueues(dataSource: DataSource, most: number): Promise<number> {
  return (await HASTEN.run(dataSource, [most])).affected;
}

/** The upper limit of a count, because the figures are read every few seconds. */
const MOST_COUNTED = 100_000;

const count = (condition: string) =>
  `(SELECT COUNT(*) FROM (SELECT 1 FROM outbox_events WHERE ${condition} LIMIT ${MOST_COUNTED}) AS given)`;

const FIGURES = new PreparedStatement(
  'outbox-figures',
  ({ now }) => `
  SELECT ${count('dead_at IS NULL')} AS waiting, ${count('dead_at > 0')} AS dead,
    ${now} - (SELECT created_at FROM outbox_events WHERE dead_at IS NULL ORDER BY id LIMIT 1) AS age`,
);

export interface OutboxFigures {
  /** At most 100,000; the same limit holds for `dead`. */
  readonly waiting: number;
  readonly dead: number;
  /** The age of the event that has waited longest; 0 when none waits. */
  readonly oldestAgeMs: number;
}

export async function readOutboxFigures(dataSource: DataSource): Promise<OutboxFigures> {
  const { rows } = await FIGURES.run(dataSource, []);
  const { waiting, dead, age } = rows[0] ?? {};
  return { waiting: Number(waiting), dead: Number(dead), oldestAgeMs: Math.max(0, Number(age)) };
}
