import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { wholeNumber } from '#libs/platform';

/**
 * Events that must be delivered in order: those of an account, or a single event without an account. The row exists
 * while an event waits. Times are epoch milliseconds.
 */
@Entity('outbox_queues')
export class OutboxQueueEntity {
  /** The account's id, or the id of the event. */
  @PrimaryColumn('varchar', { length: 64 })
  id!: string;

  /** When the next attempt is due; while a replica delivers, when its lease expires. */
  @Index('outbox_queues_due_at')
  @Column('bigint', { name: 'due_at', transformer: wholeNumber })
  dueAt!: number;

  /** The claim of the replica that delivers: a random value that is used once; null while unclaimed. */
  @Column('varchar', { length: 36, nullable: true })
  claim!: string | null;

  /** The position of the last written event. */
  @Column('bigint', { transformer: wholeNumber })
  written!: number;
}
