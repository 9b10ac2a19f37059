import { Column, Entity, PrimaryColumn } from 'typeorm';
import { wholeNumber } from '#libs/platform';

/** The daily limit of a user who has their own. */
@Entity('budget_limits')
export class OwnLimitEntity {
  @PrimaryColumn('varchar', { name: 'user_id', length: 64 })
  userId!: string;

  /** Credits per UTC day. */
  @Column('bigint', { transformer: wholeNumber })
  credits!: number;
}
