import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { wholeNumber } from '#libs/platform';

/** An event that has to be delivered, or that was given up. Times are epoch milliseconds. */
@Entity('outbox_events')
@Index('outbox_events_next', ['queueId', 'place'], { where: 'dead_at IS NULL' })
@Index('outbox_events_dead_at', ['deadAt', 'id'])
export class OutboxEventEntity {
  /** The id of its row of the audit trail; with the count behind it where that grew. */
  @PrimaryColumn('varchar', { length: 64 })
  id!: string;

  @Column('varchar', { name: 'queue_id', length: 64 })
  queueId!: string;

  /** Its place in its queue: when it was written, or one more than the one before. */
  @Column('bigint', { transformer: wholeNumber })
  place!: number;

  @Column('varchar', { length: 32 })
  type!: string;

  /** What is delivered, as JSON. */
  @Column('text')
  body!: string;

  @Column('bigint', { name: 'created_at', transformer: wholeNumber })
  createdAt!: number;

  /** How often it failed. */
  @Column('integer', { default: 0 })
  attempts!: number;

  /** Why it failed the last time. */
  @Column('varchar', { length: 200, nullable: true })
  failure!: string | null;

  /** When it was given up. */
  @Column('bigint', { name: 'dead_at', transformer: wholeNumber, nullable: true })
  deadAt!: number | null;

  @Index('outbox_events_expires_at')
  @Column('bigint', { name: 'expires_at', transformer: wholeNumber })
  expiresAt!: number;
}
