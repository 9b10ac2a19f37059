import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { wholeNumber } from '#libs/platform';

/** An assertion of a client or a trusted issuer that was presented (RFC 7523 §3). The primary key refuses a second insert. */
@Entity('oauth_assertions')
export class AssertionEntity {
  @PrimaryColumn('varchar', { name: 'id_hash', length: 43 })
  idHash!: string;

  @Index('oauth_assertions_expires_at')
  @Column('bigint', { name: 'expires_at', transformer: wholeNumber })
  expiresAt!: number;
}
