import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { wholeNumber } from '#libs/platform';

@Entity('users')
@Index('users_created_at', ['createdAt', 'id'])
export class UserEntity {
  @PrimaryColumn('varchar', { length: 64 })
  id!: string;

  @Column('varchar', { name: 'display_name', length: 40 })
  displayName!: string;

  @Column('bigint', { name: 'created_at', transformer: wholeNumber })
  createdAt!: number;

  @Column('bigint', { name: 'disabled_at', nullable: true, transformer: wholeNumber })
  disabledAt!: number | null;
}
