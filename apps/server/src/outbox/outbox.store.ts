import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { column, type Dialect, guardedChanges, PreparedStatement } from '#libs/platform';

export interface OutboxRow {
  readonly id: string;
  readonly queueId: string;
  readonly type: string;
  readonly body: string;
}

const KEPT_MS = 34 * 24 * 60 * 60 * 1000;

/** The values for these statements: rows in delivery order, and ids of events that they replace. */
export const outboxValues = (rows: readonly OutboxRow[], outdated: readonly string[]) => ({
  outboxRows: JSON.stringify(rows.map((row, n) => ({ n, ...row }))),
  outboxOutdated: JSON.stringify(outdated),
});

export type OutboxValues = ReturnType<typeof outboxValues>;

const ROWS_IN_QUEUES = `n, id, "queueId" AS queue_id, type, body,
  ROW_NUMBER() OVER (PARTITION BY "queueId" ORDER BY n) AS nth,
  COUNT(*) OVER (PARTITION BY "queueId") AS of_queue`;

const rowsOfParameter = ({ type }: Dialect) =>
  type === 'postgres'
    ? `SELECT ${ROWS_IN_QUEUES} FROM json_to_recordset(CAST(:outboxRows AS json))
         AS given(n integer, id text, "queueId" text, type text, body text)`
    : `SELECT ${ROWS_IN_QUEUES} FROM (SELECT value ->> 'n' AS n, value ->> 'id' AS id,
         value ->> 'queueId' AS "queueId", value ->> 'type' AS type, value ->> 'body' AS body
         FROM json_each(:outboxRows) AS given)`;

const greatest = ({ type }: Dialect) => (type === 'postgres' ? 'GREATEST' : 'MAX');

/**
 * Advances the queues of the rows by as many positions. They stay locked until the transaction ends, so no later
 * position becomes visible before an earlier one; in the order of their ids, so that writers cannot deadlock.
 */
export const advanceQueues = (dialect: Dialect) => `
  INSERT INTO outbox_queues (id, due_at, written)
  SELECT queue_id, now, now + of_queue
  FROM (SELECT ${dialect.now} AS now) AS given, (${rowsOfParameter(dialect)}) AS keys
  WHERE nth = 1 ORDER BY queue_id
  ON CONFLICT (id) DO UPDATE SET written =
    ${greatest(dialect)}(outbox_queues.written, excluded.due_at) + excluded.written - excluded.due_at`;

/**
 * Inserts the rows at their positions; `queues` is the relation with the queues' current state. Existing rows stay.
 */
export const insertEvents = (dialect: Dialect, queues: string) => `
  INSERT INTO outbox_events (id, queue_id, place, type, body, created_at, expires_at)
  SELECT keys.id, queue_id, written - of_queue + nth, type, body, now, now + ${KEPT_MS}
  FROM (SELECT ${dialect.now} AS now) AS given, (${rowsOfParameter(dialect)}) AS keys
    JOIN ${queues} AS queues ON queues.id = queue_id
  WHERE TRUE
  ON CONFLICT (id) DO NOTHING`;

export const deleteUnattempted = ({ listed }: Dialect) => `
  DELETE FROM outbox_events
  WHERE id IN (SELECT value FROM ${listed(':outboxOutdated')}) AND attempts = 0 AND dead_at IS NULL`;

/** How long a replica's claim of a queue lasts. */
export const LEASE_MS = 30_000;

/** An older event is given up at its next failure: all attempts of one event take 76 to 83 hours. */
const GIVEN_UP_MS = 84 * 60 * 60 * 1000;
const MOST_GIVEN_UP = 1_000;
const DEAD_MS = 30 * 24 * 60 * 60 * 1000;
const BATCH = 10;

/** Condition for the queues of a SELECT; Postgres skips those that another transaction has locked. */
const claimableIds = ({ type }: Dialect, select: string) =>
  type === 'postgres' ? `id = ANY(ARRAY(${select} FOR UPDATE SKIP LOCKED))` : `id IN (${select})`;

/**
 * The `+ 1` allows for rounded times, so that a queue made due just now is found. The clock is read in a subquery,
 * once, so that the index can bound the scan.
 */
const dueQueues = ({ now }: Dialect) =>
  `SELECT id FROM outbox_queues WHERE due_at <= (SELECT ${now} + 1) ORDER BY due_at LIMIT :most`;

const CLAIM = new PreparedStatement<'claim' | 'most'>(
  'outbox-claim',
  (dialect) => `
  UPDATE outbox_queues SET due_at = ${dialect.now} + ${LEASE_MS}, claim = :claim
  WHERE ${claimableIds(dialect, dueQueues(dialect))} RETURNING id, written`,
);

const NEXT = new PreparedStatement<'queueId'>(
  'outbox-next',
  ({ now }) => `SELECT id, body, attempts, created_at <= ${now} - ${GIVEN_UP_MS} AS late
  FROM outbox_events WHERE queue_id = :queueId AND dead_at IS NULL ORDER BY place LIMIT ${BATCH}`,
);

const DELIVERED = new PreparedStatement<'id'>(
  'outbox-delivered',
  'DELETE FROM outbox_events WHERE id = :id',
);

/** Deletes the queue if no event is left; `written` reveals events that an older snapshot does not show. */
const FINISH = new PreparedStatement<'queueId' | 'claim' | 'written'>(
  'outbox-finish',
  `DELETE FROM outbox_queues WHERE id = :queueId AND claim = :claim AND written = CAST(:written AS bigint)
    AND NOT EXISTS (SELECT 1 FROM outbox_events WHERE queue_id = :queueId AND dead_at IS NULL)`,
);

const releaseQueue = ({ now }: Dialect) => `
  UPDATE outbox_queues SET due_at = ${now} + CAST(:pauseMs AS bigint), claim = NULL
  WHERE id = :queueId AND claim = :claim`;

type ReleaseName = 'queueId' | 'claim' | 'pauseMs';

const RELEASE = new PreparedStatement<ReleaseName>('outbox-release', releaseQueue);

const FAIL = new PreparedStatement<ReleaseName | 'eventId' | 'failure'>(
  'outbox-fail',
  guardedChanges(
    releaseQueue,
    ({ guarded }) => `
      UPDATE outbox_events SET attempts = attempts + 1, failure = :failure WHERE id = :eventId AND ${guarded}`,
  ),
);

const GIVE_UP = new PreparedStatement<ReleaseName | 'eventId' | 'failure'>(
  'outbox-give-up',
  guardedChanges(
    releaseQueue,
    ({ now, guarded }) => `
      UPDATE outbox_events SET attempts = attempts + 1, failure = :failure, dead_at = ${now},
        expires_at = ${now} + ${DEAD_MS}
      WHERE ${guarded} AND id IN (
        SELECT id FROM outbox_events WHERE queue_id = :queueId AND dead_at IS NULL
          AND (id = :eventId OR (failure IS NULL AND created_at <= ${now} - ${GIVEN_UP_MS}))
        ORDER BY place LIMIT ${MOST_GIVEN_UP})`,
  ),
);

/** A queue that this replica has claimed, until it releases it or `LEASE_MS` have passed. */
export interface ClaimedQueue {
  readonly id: string;
  readonly claim: string;
  readonly written: number;
}

export interface WaitingEvent {
  readonly id: string;
  /** JSON. */
  readonly body: string;
  readonly attempts: number;
  /** Whether it has waited for longer than all attempts take. */
  readonly isLate: boolean;
}

/** Two replicas never hold one queue, except after a lease has expired; changes by its old holder have no effect. */
@Injectable()
export class OutboxClaims {
  constructor(private readonly dataSource: DataSource) {}

  async claim(most: number): Promise<ClaimedQueue[]> {
    const claim = randomUUID();
    const { rows } = await CLAIM.run(this.dataSource, { claim, most });
    return rows.map((row) => ({
      id: column.text(row, 'id'),
      written: column.number(row, 'written'),
      claim,
    }));
  }

  async next({ id: queueId }: ClaimedQueue): Promise<WaitingEvent[]> {
    const { rows } = await NEXT.run(this.dataSource, { queueId });
    return rows.map((row) => ({
      id: column.text(row, 'id'),
      body: column.text(row, 'body'),
      attempts: column.number(row, 'attempts'),
      isLate: column.flag(row, 'late'),
    }));
  }

  async delivered({ id }: WaitingEvent): Promise<void> {
    await DELIVERED.run(this.dataSource, { id });
  }

  /** Deletes an empty queue. Returns false where an event is left: the queue then stays claimed. */
  async finish({ id: queueId, claim, written }: ClaimedQueue): Promise<boolean> {
    const { affected } = await FINISH.run(this.dataSource, { queueId, claim, written });
    return affected > 0;
  }

  /** Releases the queue with its remaining events; any replica may claim it at once. */
  async release({ id: queueId, claim }: ClaimedQueue): Promise<void> {
    await RELEASE.run(this.dataSource, { queueId, claim, pauseMs: 0 });
  }

  /** Releases the queue and keeps its first event, which is due again after `pauseMs`. */
  async fail(queue: ClaimedQueue, event: WaitingEvent, failure: string, pauseMs: number) {
    const [queueId, claim, eventId] = [queue.id, queue.claim, event.id];
    await FAIL.run(this.dataSource, { queueId, claim, pauseMs, eventId, failure });
  }

  /** Releases the queue and gives up its first event and others that waited too long, but not one that is retried. */
  async giveUp(queue: ClaimedQueue, event: WaitingEvent, failure: string) {
    const [queueId, claim, eventId] = [queue.id, queue.claim, event.id];
    await GIVE_UP.run(this.dataSource, { queueId, claim, pauseMs: 0, eventId, failure });
  }
}

/** Makes unclaimed queues due now. `written` grows, so that a concurrent finish does not delete the queue. */
const RETRY_QUEUES = new PreparedStatement<'ids'>(
  'outbox-retry-queues',
  (dialect) => `
  INSERT INTO outbox_queues (id, due_at, written)
  SELECT value, now, now FROM ${dialect.listed(':ids')}, (SELECT ${dialect.now} AS now) AS given
  WHERE TRUE ORDER BY value
  ON CONFLICT (id) DO UPDATE SET written = outbox_queues.written + 1,
    due_at = CASE WHEN outbox_queues.claim IS NULL THEN excluded.due_at ELSE outbox_queues.due_at END`,
);

const RETRY_EVENTS = new PreparedStatement<'ids'>(
  'outbox-retry-events',
  ({ listed }) => `
  UPDATE outbox_events SET attempts = 0, dead_at = NULL
  WHERE id IN (SELECT value FROM ${listed(':ids')})`,
);

/** Delivers the events again in their old positions, as if they had never failed. */
export const retryEvents = (
  dataSource: DataSource,
  events: readonly Pick<OutboxRow, 'id' | 'queueId'>[],
): Promise<void> =>
  dataSource.transaction(async (manager) => {
    const queueIds = new Set(events.map(({ queueId }) => queueId));
    await RETRY_QUEUES.run(manager, { ids: JSON.stringify([...queueIds]) });
    await RETRY_EVENTS.run(manager, { ids: JSON.stringify(events.map(({ id }) => id)) });
  });

const laterQueues = ({ now }: Dialect) =>
  `SELECT id FROM outbox_queues WHERE due_at > (SELECT ${now}) AND claim IS NULL LIMIT :most`;

const MAKE_DUE = new PreparedStatement<'most'>(
  'outbox-make-due',
  (dialect) => `
  UPDATE outbox_queues SET due_at = ${dialect.now} WHERE ${claimableIds(dialect, laterQueues(dialect))}`,
);

export async function makeQueuesDue(dataSource: DataSource, most: number): Promise<number> {
  return (await MAKE_DUE.run(dataSource, { most })).affected;
}

/** The upper limit of a count, because the figures are read every few seconds. */
const MOST_COUNTED = 100_000;

const countEvents = (condition: string) =>
  `(SELECT COUNT(*) FROM (SELECT 1 FROM outbox_events WHERE ${condition} LIMIT ${MOST_COUNTED}) AS given)`;

const FIGURES = new PreparedStatement(
  'outbox-figures',
  ({ now }) => `
  SELECT ${countEvents('dead_at IS NULL')} AS waiting, ${countEvents('dead_at > 0')} AS dead,
    ${now} - (SELECT created_at FROM outbox_events WHERE dead_at IS NULL ORDER BY id LIMIT 1) AS age`,
);

export interface OutboxFigures {
  /** At most 100,000; the same limit holds for `dead`. */
  readonly waiting: number;
  readonly dead: number;
  readonly oldestAgeMs: number;
}

export async function readOutboxFigures(dataSource: DataSource): Promise<OutboxFigures> {
  const [row = {}] = (await FIGURES.run(dataSource, {})).rows;
  const oldestAgeMs = Math.max(0, column.numberOrNull(row, 'age') ?? 0);
  return { waiting: column.number(row, 'waiting'), dead: column.number(row, 'dead'), oldestAgeMs };
}
