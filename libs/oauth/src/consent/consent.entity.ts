import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { wholeNumber } from '#libs/platform';

/** A consent form that was shown and not yet answered. */
@Entity('oauth_consents')
@Index('oauth_consents_user_open', ['userId', 'expiresAt', 'handleHash'])
export class ConsentEntity {
  @PrimaryColumn('varchar', { name: 'handle_hash', length: 43 })
  handleHash!: string;

  @Column('varchar', { name: 'user_id', length: 64 })
  userId!: string;

  /** The session it was shown to, the only one that can answer it. */
  @Column('varchar', { name: 'session_hash', length: 43 })
  sessionHash!: string;

  @Column('varchar', { length: 300 })
  origin!: string;

  @Index('oauth_consents_client')
  @Column('varchar', { name: 'client_id', length: 512 })
  clientId!: string;

  /** The validated authorization request. */
  @Column('simple-json')
  request!: Record<string, unknown>;

  @Index('oauth_consents_expires_at')
  @Column('bigint', { name: 'expires_at', transformer: wholeNumber })
  expiresAt!: number;
}
