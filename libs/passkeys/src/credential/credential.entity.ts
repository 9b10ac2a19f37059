import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { UserEntity } from '#libs/accounts';
import { wholeNumber } from '#libs/platform';

/** Stores bytes in a `text` column, alike on every database. */
export const base64urlBytes = {
  to: (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url'),
  from: (text: string) => new Uint8Array(Buffer.from(text, 'base64url')),
};

@Entity('credentials')
export class CredentialEntity {
  @PrimaryColumn('varchar', { length: 1366 })
  id!: string;

  @Index('credentials_user_id')
  @Column('varchar', { name: 'user_id', length: 64 })
  userId!: string;

  @ManyToOne(() => UserEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'credentials_user' })
  user!: UserEntity | null;

  @Column('varchar', { name: 'rp_id', length: 260 })
  rpId!: string;

  /** COSE_Key bytes. */
  @Column('text', { name: 'public_key', transformer: base64urlBytes })
  publicKey!: Uint8Array<ArrayBuffer>;

  /** An unsigned 32-bit counter, which would not fit into an `integer` on Postgres. */
  @Column('bigint', { name: 'sign_count', transformer: wholeNumber })
  signCount!: number;

  @Column('simple-json')
  transports!: string[];

  @Column('boolean', { name: 'backup_eligible' })
  backupEligible!: boolean;

  @Column('bigint', { name: 'created_at', transformer: wholeNumber })
  createdAt!: number;

  @Column('varchar', { length: 40, nullable: true })
  name!: string | null;

  /** The model of the authenticator, as a UUID; null when not reported. For display only: it is not attested. */
  @Column('varchar', { length: 36, nullable: true })
  aaguid!: string | null;

  /** The backup state (BS) of the last ceremony (WebAuthn L3 §6.1.3); null for one not used since the column exists. */
  @Column('boolean', { name: 'backed_up', nullable: true })
  backedUp!: boolean | null;

  @Column('bigint', { name: 'last_used_at', nullable: true, transformer: wholeNumber })
  lastUsedAt!: number | null;
}

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
