import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { type SecurityEventType } from '#libs/accounts';
import { wholeNumber } from '#libs/database';

/** One line of the audit trail. Times are epoch milliseconds. */
@Entity('audit_events')
@Index('audit_events_user', ['userId', 'at'])
export class AuditEventEntity {
  @PrimaryColumn('varchar', { length: 36 })
  id!: string;

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

  @Column('varchar', { length: 300 })
  origin!: string;

  @Column('varchar', { name: 'request_id', length: 64, nullable: true })
  requestId!: string | null;

  @Index('audit_events_expires_at')
  @Column('bigint', { name: 'expires_at', transformer: wholeNumber })
  expiresAt!: number;
}
