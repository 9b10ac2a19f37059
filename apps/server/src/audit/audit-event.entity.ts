import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { type SecurityEventType } from '#libs/accounts';
import { wholeNumber } from '#libs/platform';
import { PERSONAL } from './personal-events.js';

/** One line of the audit trail: an event, or several of one kind. Times are epoch milliseconds. */
@Entity('audit_events')
@Index('audit_events_user', ['userId', 'id'])
@Index('audit_events_client', ['clientId', 'id'])
@Index('audit_events_activity', ['userId', 'id'], { where: PERSONAL })
export class AuditEventEntity {
  @PrimaryColumn('varchar', { length: 36 })
  id!: string;

  /** When it happened; of several, the first. */
  @Index('audit_events_at')
  @Column('bigint', { transformer: wholeNumber })
  at!: number;

  @Column('varchar', { length: 32 })
  type!: SecurityEventType;

  /** Whose account it is about. It stays when the account goes, so it is no foreign key. */
  @Column('varchar', { name: 'user_id', length: 64, nullable: true })
  userId!: string | null;

  @Column('varchar', { name: 'client_id', length: 2048, nullable: true })
  clientId!: string | null;

  @Column('varchar', { name: 'grant_id', length: 128, nullable: true })
  grantId!: string | null;

  /** What the client calls itself. */
  @Column('varchar', { length: 80, nullable: true })
  app!: string | null;

  /** In words, of an event of an account that a browser caused; of several, the last. */
  @Column('varchar', { length: 60, nullable: true })
  browser!: string | null;

  @Column('varchar', { length: 300 })
  origin!: string;

  /** Who did it, of those who run the service; null for what nobody of them did. */
  @Column('varchar', { length: 64, nullable: true })
  actor!: string | null;

  /** Of several, the first. */
  @Index('audit_events_request')
  @Column('varchar', { name: 'request_id', length: 64, nullable: true })
  requestId!: string | null;

  /** Why it was refused, or what was done. */
  @Column('varchar', { length: 200, nullable: true })
  detail!: string | null;

  /** The same in parts: EventFacts as JSON. */
  @Column('text', { nullable: true })
  facts!: string | null;

  /** How many events it stands for. */
  @Column('integer', { default: 1 })
  count!: number;

  /** When the last of several happened. */
  @Column('bigint', { name: 'last_at', transformer: wholeNumber, nullable: true })
  lastAt!: number | null;

  /** What calls of tools cost their account, in all. */
  @Column('bigint', { transformer: wholeNumber, nullable: true })
  credits!: number | null;

  /** How long they took, in all. */
  @Column('bigint', { name: 'duration_ms', transformer: wholeNumber, nullable: true })
  durationMs!: number | null;

  /** Of what a stranger caused: a keyed hash of the network it came from, never an address. */
  @Column('varchar', { length: 22, nullable: true })
  network!: string | null;

  @Index('audit_events_expires_at')
  @Column('bigint', { name: 'expires_at', transformer: wholeNumber })
  expiresAt!: number;
}
