import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { UserEntity } from '#libs/accounts';
import { wholeNumber } from '#libs/platform';

/** Marks the id of a passkey that was deleted. */
@Entity('credential_tombstones')
@Index('credential_tombstones_user_id', ['userId', 'deletedAt'])
export class CredentialTombstoneEntity {
  /** SHA-256 of the credential id, as base64url. */
  @PrimaryColumn('varchar', { name: 'id_hash', length: 43 })
  idHash!: string;

  /** Null once the account is deleted, and when a replica of an older version wrote the tombstone. */
  @Column('varchar', { name: 'user_id', length: 64, nullable: true })
  userId!: string | null;

  @ManyToOne(() => UserEntity, { onDelete: 'SET NULL' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'credential_tombstones_user' })
  user!: UserEntity | null;

  @Column('bigint', { name: 'deleted_at', transformer: wholeNumber })
  deletedAt!: number;
}
