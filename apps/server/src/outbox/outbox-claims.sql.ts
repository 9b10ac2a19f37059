import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Dialect, PreparedStatement, changesOf } from '#libs/platform';

/** So long a replica has a queue for itself. */
export const LEASE_MS = 30_000;

/** What has waited for longer is given up with the next failure: all attempts of one event take 76 to 83 hours. */
const GIVEN_UP_MS = 84 * 60 * 60 * 1000;
const MOST_GIVEN_UP = 1_000;

/** What was given up is kept for so long. */
const DEAD_MS = 30 * 24 * 60 * 60 * 1000;

/** Events of a queue that are read at a time. */
const BATCH = 10;

/** Times are rounded: what was made due just now is. The clock is read once, or no index would end at it. */
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

/** Nothing is left in it, and nobody wrote to it since it was claimed: that is seen whatever was read before. */
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

/** A queue that this replica has for itself, until it gives it back or `LEASE_MS` are over. */
export interface ClaimedQueue {
  readonly id: string;
  readonly claim: string;
  readonly written: string | number;
}

/** One that waits. */
export interface WaitingEvent {
  readonly id: string;
  /** JSON. */
  readonly body: string;
  /** How often it failed. */
  readonly attempts: number;
  /** It has waited for longer than all attempts take. */
  readonly isLate: boolean;
}

/**
 * Whose turn it is. No two replicas have the same queue at a time, other than after a lease was lost; what a
 * replica that lost it says of the queue then counts for nothing.
 */
@Injectable()
export class OutboxClaims {
  constructor(private readonly dataSource: DataSource) {}

  /** Those whose next attempt is due, the one that has waited longest first. */
  async claim(most: number): Promise<ClaimedQueue[]> {
    const claim = randomUUID();
    const { rows } = await CLAIM.run(this.dataSource, [claim, most]);
    return rows.map(({ id, written }) => ({ id, written, claim }) as ClaimedQueue);
  }

  /** The first few of a queue, in order. */
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

  /** Ends a queue in which nothing is left. False where something is: it is still claimed then. */
  async finish({ id, claim, written }: ClaimedQueue): Promise<boolean> {
    const { affected } = await FINISH.run(this.dataSource, [id, claim, written]);
    return affected > 0;
  }

  /** Gives it back with what is left, for whoever comes next. */
  async release({ id, claim }: ClaimedQueue): Promise<void> {
    await RELEASE.run(this.dataSource, [id, claim, 0]);
  }

  /** Gives it back with its first event, which comes again after `pauseMs`. */
  async fail({ id, claim }: ClaimedQueue, event: WaitingEvent, why: string, pauseMs: number) {
    await FAIL.run(this.dataSource, [id, claim, pauseMs, event.id, why]);
  }

  /**
   * Gives it back without its first event, which nobody tries to deliver any more, and without those that have
   * waited for too long as well; but one that was given up before, and is retried, has an attempt of its own.
   */
  async giveUp({ id, claim }: ClaimedQueue, event: WaitingEvent, why: string) {
    await GIVE_UP.run(this.dataSource, [id, claim, 0, event.id, why]);
  }
}
