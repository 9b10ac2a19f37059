import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { wholeNumber } from '#libs/platform';

/** Permits the holder of its code to create a number of accounts, until it expires. */
@Entity('invites')
@Index('invites_created_at', ['createdAt', 'id'])
export class InviteEntity {
  /** Random and independent of the code. */
  @PrimaryColumn('varchar', { length: 22 })
  id!: string;

  @Index('invites_code_hash', { unique: true })
  @Column('varchar', { name: 'code_hash', length: 43 })
  codeHash!: string;

  @Column('integer')
  uses!: number;

  @Column('integer', { name: 'uses_left' })
  usesLeft!: number;

  @Column('bigint', { name: 'created_at', transformer: wholeNumber })
  createdAt!: number;

  /** Name of the administrator who made it: the `actor` of the event. */
  @Column('varchar', { name: 'created_by', length: 64 })
  createdBy!: string;

  @Index('invites_expires_at')
  @Column('bigint', { name: 'expires_at', transformer: wholeNumber })
  expiresAt!: number;
}
