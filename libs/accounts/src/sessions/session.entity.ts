import {
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
} from 'typeorm';
import { wholeNumber } from '#libs/database';
import { UserEntity } from '../users/user.entity.js';

@Entity('sessions')
export class SessionEntity {
  @PrimaryColumn('varchar', { name: 'token_hash', length: 43 })
  tokenHash!: string;

  @Index('sessions_user_id')
  @Column('varchar', { name: 'user_id', length: 64 })
  userId!: string;

  @ManyToOne(() => UserEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'sessions_user' })
  user!: Relation<UserEntity>;

  /** The origin it was made on; it is refused on any other. */
  @Column('varchar', { length: 300 })
  origin!: string;

  @Column('bigint', { name: 'created_at', transformer: wholeNumber })
  createdAt!: number;

  @Column('bigint', { name: 'last_seen_at', transformer: wholeNumber })
  lastSeenAt!: number;

  /** When the idle or the absolute lifetime ends, whichever comes first. */
  @Index('sessions_expires_at')
  @Column('bigint', { name: 'expires_at', transformer: wholeNumber })
  expiresAt!: number;
}
