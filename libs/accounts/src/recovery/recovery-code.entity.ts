import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { wholeNumber } from '#libs/platform';
import { UserEntity } from '../user/user.entity.js';

/** One of a user's own codes, or the code of an administrator's link. Only the latter expires. */
@Entity('recovery_codes')
export class RecoveryCodeEntity {
  @PrimaryColumn('varchar', { name: 'code_hash', length: 43 })
  codeHash!: string;

  @Index('recovery_codes_user_id')
  @Column('varchar', { name: 'user_id', length: 64 })
  userId!: string;

  @ManyToOne(() => UserEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'recovery_codes_user' })
  user!: UserEntity;

  /** The only origin that the code works on. Null, for all: older codes, and links whose origin is a guess. */
  @Column('varchar', { length: 300, nullable: true })
  origin!: string | null;

  @Column('bigint', { name: 'created_at', transformer: wholeNumber })
  createdAt!: number;

  /** Null for a user's own codes, which are valid until they are used or replaced. */
  @Index('recovery_codes_expires_at')
  @Column('bigint', { name: 'expires_at', transformer: wholeNumber, nullable: true })
  expiresAt!: number | null;

  @Column('bigint', { name: 'used_at', transformer: wholeNumber, nullable: true })
  usedAt!: number | null;
}
