import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How often each user was greeted. */
@Entity('acme_greetings')
export class GreetingEntity {
  @PrimaryColumn('varchar', { name: 'user_id', length: 64 })
  userId!: string;

  @Column('integer')
  count!: number;
}
