import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { wholeNumber } from '#libs/platform';
import { GrantEntity } from '../grant/grant.entity.js';

export type TokenKind = 'AccessToken' | 'AuthorizationCode' | 'RefreshToken';

/** An access token, refresh token or authorization code; only its hash is stored. */
@Entity('oauth_tokens')
@Index('oauth_tokens_grant', ['grantId', 'kind', 'generation'])
export class TokenEntity {
  @PrimaryColumn('varchar', { name: 'id_hash', length: 43 })
  idHash!: string;

  @Column('varchar', { length: 20 })
  kind!: TokenKind;

  @Column('varchar', { name: 'grant_id', length: 64 })
  grantId!: string;

  @ManyToOne(() => GrantEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'grant_id', foreignKeyConstraintName: 'oauth_tokens_grant_id' })
  grant!: GrantEntity;

  /** The number of rotations before a refresh token and its access token; 0 for codes. */
  @Column('integer')
  generation!: number;

  /** The library's own members, without the token itself. */
  @Column('simple-json')
  payload!: Record<string, unknown>;

  @Column('bigint', { name: 'created_at', transformer: wholeNumber })
  createdAt!: number;

  @Index('oauth_tokens_expires_at')
  @Column('bigint', { name: 'expires_at', transformer: wholeNumber })
  expiresAt!: number;

  @Column('bigint', { name: 'consumed_at', nullable: true, transformer: wholeNumber })
  consumedAt!: number | null;
}
