import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { wholeNumber } from '#libs/platform';
import { UserEntity } from '../user/user.entity.js';
import type { SessionBeginning } from './session.js';

/**
 * A session. A new column takes null or a default, a migration, and a place in `BEGIN_SESSION`, `sessionValues` and
 * `FIND` of `session.store` and in `rowOf` of `session.service`.
 */
@Entity('sessions')
@Index('sessions_last_seen', ['userId', 'lastSeenAt'])
export class SessionEntity {
  @PrimaryColumn('varchar', { name: 'token_hash', length: 43 })
  tokenHash!: string;

  /** Random id that the user sees. */
  @Column('varchar', { length: 32, default: '' })
  id!: string;

  @Column('varchar', { name: 'user_id', length: 64 })
  userId!: string;

  @ManyToOne(() => UserEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'sessions_user' })
  user!: UserEntity;

  /** The origin that the session was made on; it is refused on any other. */
  @Column('varchar', { length: 300 })
  origin!: string;

  @Column('varchar', { length: 60, nullable: true })
  browser!: string | null;

  @Column('varchar', { name: 'began_by', length: 12, default: 'passkey' })
  beganBy!: SessionBeginning['by'];

  /** The passkey that the session began with; no foreign key, because passkeys belong to another lib. */
  @Column('varchar', { name: 'credential_id', length: 1366, nullable: true })
  credentialId!: string | null;

  @Column('bigint', { name: 'created_at', transformer: wholeNumber })
  createdAt!: number;

  @Column('bigint', { name: 'last_seen_at', transformer: wholeNumber })
  lastSeenAt!: number;

  /** The end of the idle or of the absolute lifetime, the earlier one. */
  @Index('sessions_expires_at')
  @Column('bigint', { name: 'expires_at', transformer: wholeNumber })
  expiresAt!: number;
}
