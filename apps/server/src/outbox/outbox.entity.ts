import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { wholeNumber } from '#libs/platform';

/** An event that waits for delivery or was given up. Times are epoch milliseconds. */
@Entity('outbox_events')
@Index('outbox_events_next', ['queueId', 'place'], { where: 'dead_at IS NULL' })
@Index('outbox_events_dead_at', ['deadAt', 'id'])
export class OutboxEventEntity {
  /** The id of its audit row, followed by the count where that has grown. */
  @PrimaryColumn('varchar', { length: 64 })
  id!: string;

  @Column('varchar', { name: 'queue_id', length: 64 })
  queueId!: string;

  /** Its position in the queue: the time of the write, or the previous position plus one. */
  @Column('bigint', { transformer: wholeNumber })
  place!: number;

  @Column('varchar', { length: 32 })
  type!: string;

  @Column('text')
  body!: string;

  @Column('bigint', { name: 'created_at', transformer: wholeNumber })
  createdAt!: number;

  @Column('integer', { default: 0 })
  attempts!: number;

  @Column('varchar', { length: 200, nullable: true })
  failure!: string | null;

  @Column('bigint', { name: 'dead_at', transformer: wholeNumber, nullable: true })
  deadAt!: number | null;

  @Index('outbox_events_expires_at')
  @Column('bigint', { name: 'expires_at', transformer: wholeNumber })
  expiresAt!: number;
}

/** Events that must be delivered in order: an account's, or one without an account. Exists while an event waits. */
@Entity('outbox_queues')
export class OutboxQueueEntity {
  @PrimaryColumn('varchar', { length: 64 })
  id!: string;

  /** When the next attempt is due; while a replica delivers, when its lease expires. */
  @Index('outbox_queues_due_at')
  @Column('bigint', { name: 'due_at', transformer: wholeNumber })
  dueAt!: number;

  /** The claim of the replica that delivers: a random value that is used once; null while unclaimed. */
  @Column('varchar', { length: 36, nullable: true })
  claim!: string | null;

  @Column('bigint', { transformer: wholeNumber })
  written!: number;
}
