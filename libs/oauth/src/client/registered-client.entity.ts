import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { wholeNumber } from '#libs/platform';

/** A dynamically registered client (RFC 7591). */
@Entity('oauth_clients')
@Index('oauth_clients_created', ['createdAt', 'id'])
@Index('oauth_clients_untried', ['grantedAt', 'createdAt', 'storedBytes'])
export class RegisteredClientEntity {
  @PrimaryColumn('varchar', { length: 64 })
  id!: string;

  /** The registered metadata, without the secret. */
  @Column('simple-json')
  metadata!: Record<string, unknown>;

  @Column('varchar', { name: 'secret_hash', length: 43, nullable: true })
  secretHash!: string | null;

  @Column('bigint', { name: 'created_at', transformer: wholeNumber })
  createdAt!: number;

  @Column('bigint', { name: 'last_used_at', transformer: wholeNumber })
  lastUsedAt!: number;

  /** When the client got its first grant; null before. */
  @Column('bigint', { name: 'granted_at', nullable: true, transformer: wholeNumber })
  grantedAt!: number | null;

  /** Approximate size in the database. */
  @Column('bigint', { name: 'stored_bytes', default: 0, transformer: wholeNumber })
  storedBytes!: number;

  /** 30 days after registration until its first grant, then 90 days after its last use. */
  @Index('oauth_clients_expires_at')
  @Column('bigint', { name: 'expires_at', transformer: wholeNumber })
  expiresAt!: number;
}
