import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Dialect, PreparedStatement, changesOf } from '#libs/platform';

/** How long a replica's claim of a queue lasts. */
export const LEASE_MS = 30_000;

/** An older event is given up at its next failure: all attempts of one event take 76 to 83 hours. */
const GIVEN_UP_MS = 84 * 60 * 60 * 1000;
const MOST_GIVEN_UP = 1_000;

/** How long a given-up event is kept. */
const DEAD_MS = 30 * 24 * 60 * 60 * 1000;

/** How many events of a queue one statement reads. */
const BATCH = 10;

/**
 * The `+ 1` allows for rounded times, so that a queue made due just now is found. The clock is read in a subquery,
 * once, so that the index can bound the scan.
 */
const due = ({ now, type }: Dialect) => `
  SELECT id FROM outbox_queues WHERE due_at <= (SELECT ${now} + 1) ORDER BY due_at LIMIT $2
  ${type === 'postgres' ? 'FOR UPDATE SKIP LOCKED' : ''}`;

const CLAIM = new PreparedStatement(
  'outbox-claim',
  (dialect) => `
  UPDATE outbox_queues SET due_at = ${dialect.now} + ${LEASE_MS}, claim = $1
  WHERE id ${dialect.type === 'postgres' ? `= ANY(ARRAY(${due(dialect)}))` : `IN (${due(dialect)})`}
  RETURNING id, written`,
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
  changesOf(
    giveBack,
    ({ decided }) => `
      UPDATE outbox_events SET attempts = attempts + 1, failure = $5 WHERE id = $4 AND ${decided}`,
  ),
);

const GIVE_UP = new PreparedStatement(
  'outbox-give-up',
  changesOf(
    giveBack,
    ({ now, decided }) => `
      UPDATE outbox_events SET attempts = attempts + 1, failure = $5, dead_at = ${now},
        expires_at = ${now} + ${DEAD_MS}
      WHERE ${decided} AND id IN (
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

/** An event that waits for delivery. */
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
