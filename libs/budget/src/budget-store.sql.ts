import { Injectable } from '@nestjs/common';
import { Column, DataSource, Entity, In, Index, LessThan, PrimaryColumn } from 'typeorm';
import { BatchedRead, column, PreparedStatement, wholeNumber } from '#libs/platform';
import { BudgetStore, type DayBalance, type Deletion } from './budget-store.js';
import { budgetDay, DAY_MS } from './budget.js';

@Entity('budgets')
export class BudgetEntity {
  @PrimaryColumn('varchar', { name: 'user_id', length: 64 })
  userId!: string;

  /** The latest UTC day that was charged, `YYYY-MM-DD`. */
  @Index('budgets_day')
  @Column('varchar', { length: 10 })
  day!: string;

  @Column('bigint', { transformer: wholeNumber })
  used!: number;
}

/** Long enough that a replica whose clock is ahead deletes no day that still counts for another. */
const KEPT_MS = 30 * DAY_MS;

export async function sweepPastDays({ manager }: DataSource, limit: number): Promise<number> {
  const over = { day: LessThan(budgetDay(new Date(Date.now() - KEPT_MS))) };
  const rows = await manager.find(BudgetEntity, { where: over, take: limit });
  if (rows.length === 0) return 0;
  // A row that was charged after it was read has a later day now and is kept.
  await manager.delete(BudgetEntity, { userId: In(rows.map(({ userId }) => userId)), ...over });
  return rows.length;
}

const READ = new BatchedRead(
  'budget',
  ({ keys }) => `
    SELECT keys.value AS key, b.day, b.used, l.credits
    FROM ${keys}
    LEFT JOIN budgets b ON b.user_id = keys.value
    LEFT JOIN budget_limits l ON l.user_id = keys.value`,
);

/** Begins with a new line: TypeORM's own driver for SQLite returns no rows of a text that begins with INSERT. */
const RESERVE = new PreparedStatement<'userId' | 'day' | 'amount' | 'limit'>(
  'reserve-credits',
  `
   INSERT INTO budgets (user_id, day, used) VALUES (:userId, :day, :amount)
   ON CONFLICT (user_id) DO UPDATE SET
     day = CASE WHEN excluded.day > budgets.day THEN excluded.day ELSE budgets.day END,
     used = CASE WHEN excluded.day > budgets.day THEN 0 ELSE budgets.used END + excluded.used
   WHERE CASE WHEN excluded.day > budgets.day THEN 0 ELSE budgets.used END + excluded.used <= :limit
   RETURNING day`,
);

const GIVE_BACK = new PreparedStatement<'userId' | 'day' | 'amount'>(
  'give-back-credits',
  `UPDATE budgets SET used = CASE WHEN used > :amount THEN used - :amount ELSE 0 END
   WHERE user_id = :userId AND day = :day`,
);

const RESET = new PreparedStatement<'userId' | 'day'>(
  'reset-credits',
  'UPDATE budgets SET used = 0 WHERE user_id = :userId AND day >= :day',
);

/** One row per user, for the latest day that was charged; for both SQLite and Postgres. */
@Injectable()
export class SqlBudgetStore extends BudgetStore {
  constructor(private readonly dataSource: DataSource) {
    super();
  }

  override async read(userId: string, day: string): Promise<DayBalance> {
    const row = await READ.find(this.dataSource, userId);
    if (!row) return { day, used: 0, ownLimit: null };
    const ownLimit = column.numberOrNull(row, 'credits');
    const latest = column.textOrNull(row, 'day');
    if (latest === null || latest < day) return { day, used: 0, ownLimit };
    return { day: latest, used: column.number(row, 'used'), ownLimit };
  }

  override async reserve(userId: string, day: string, amount: number, limit: number) {
    if (amount > limit) return undefined;
    const [row] = (await RESERVE.run(this.dataSource, { userId, day, amount, limit })).rows;
    return row && column.text(row, 'day');
  }

  override async forget(userId: string, deletion: Deletion) {
    await deletion.query('DELETE FROM budgets WHERE user_id = $1', [userId]);
  }

  override async giveBack(userId: string, day: string, amount: number) {
    await GIVE_BACK.run(this.dataSource, { userId, day, amount });
  }

  override async reset(userId: string, day: string) {
    await RESET.run(this.dataSource, { userId, day });
  }
}
