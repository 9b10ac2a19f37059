import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { wholeNumber } from '#libs/platform';

/** An authorization request that passed every check, stored in a consent until the user answers. */
export interface AuthorizationRequest {
  readonly clientId: string;
  /** The app's name as the page shows it; the grant keeps it even if the client changes its name later. */
  readonly app: string;
  /** When the client was registered, in epoch seconds; undefined for a published client. */
  readonly registeredAt?: number | undefined;
  readonly redirectUri: string;
  /** The supported scopes that the client requested; undefined when it requested none of them. */
  readonly scopes: readonly string[] | undefined;
  readonly state?: string | undefined;
  /** The identifier of the resource that the tokens are for. */
  readonly resource: string;
  readonly codeChallenge: string;
}

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

  @Column('simple-json')
  request!: AuthorizationRequest;

  @Index('oauth_consents_expires_at')
  @Column('bigint', { name: 'expires_at', transformer: wholeNumber })
  expiresAt!: number;
}
