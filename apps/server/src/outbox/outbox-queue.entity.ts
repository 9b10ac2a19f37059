import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { wholeNumber } from '#libs/platform';

/**
 * Events that have to go one after the other: those of an account, or one that belongs to none. The row is
 * there as long as something waits. Times are epoch milliseconds.
 */
@Entity('outbox_queues')
export class OutboxQueueEntity {
  /** The account's id, or that of the event. */
  @PrimaryColumn('varchar', { length: 64 })
  id!: string;

  /** When the next attempt is due; while a replica delivers, when it has lost its turn. */
  @Index('outbox_queues_due_at')
  @Column('bigint', { name: 'due_at', transformer: wholeNumber })
  dueAt!: number;

  /** Whose turn it is: a word that is used once; null for nobody's. */
  @Column('varchar', { length: 36, nullable: true })
  claim!: string | null;

  /** The place of the last event that was written. */
  @Column('bigint', { transformer: wholeNumber })
  written!: number;
}
