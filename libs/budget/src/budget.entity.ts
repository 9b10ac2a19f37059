import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Postgres returns a `bigint` as text. */
const credits = { to: (value: number) => value, from: (value: number | string) => Number(value) };

@Entity('budgets')
export class BudgetEntity {
  @PrimaryColumn('varchar', { name: 'user_id', length: 64 })
  userId!: string;

  /** The latest UTC day that was charged, `YYYY-MM-DD`. */
  @Index('budgets_day')
  @Column('varchar', { length: 10 })
  day!: string;

  @Column('bigint', { transformer: credits })
  used!: number;
}
