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
import { UserEntity } from '../user/user.entity.js';

/** Links an identity at another issuer to an account, which may have several. */
@Entity('external_identities')
export class ExternalIdentityEntity {
  @PrimaryColumn('varchar', { length: 255 })
  issuer!: string;

  @PrimaryColumn('varchar', { length: 255 })
  subject!: string;

  @Index('external_identities_user_id')
  @Column('varchar', { name: 'user_id', length: 64 })
  userId!: string;

  @ManyToOne(() => UserEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'external_identities_user' })
  user!: Relation<UserEntity>;

  @Column('bigint', { name: 'created_at', transformer: wholeNumber })
  createdAt!: number;
}
