import {
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
} from 'typeorm';
import { wholeNumber } from '#libs/platform';
import { RegisteredClientEntity } from '../client/registered-client.entity.js';

/** An access token of a machine client; only its hash is stored. It belongs to no grant: no user gave one. */
@Entity('oauth_machine_tokens')
export class MachineTokenEntity {
  @PrimaryColumn('varchar', { name: 'id_hash', length: 43 })
  idHash!: string;

  @Index('oauth_machine_tokens_client')
  @Column('varchar', { name: 'client_id', length: 64 })
  clientId!: string;

  @ManyToOne(() => RegisteredClientEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'client_id', foreignKeyConstraintName: 'oauth_machine_tokens_client_id' })
  client!: Relation<RegisteredClientEntity>;

  /** The issuer of the token; only requests to this origin may use it. */
  @Column('varchar', { length: 300 })
  origin!: string;

  /** The only resource the token is good for. */
  @Column('varchar', { length: 512 })
  resource!: string;

  @Column('text')
  scope!: string;

  @Column('bigint', { name: 'created_at', transformer: wholeNumber })
  createdAt!: number;

  @Index('oauth_machine_tokens_expires_at')
  @Column('bigint', { name: 'expires_at', transformer: wholeNumber })
  expiresAt!: number;
}
