import { Injectable } from '@nestjs/common';
import { Column, DataSource, Entity, In, Index, LessThan, PrimaryColumn } from 'typeorm';
import { BatchedRead, wholeNumber } from '#libs/platform';
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

/** A sweep that deletes the counters of past days, those of deleted accounts included. */
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

// Parameters are numbered in order of appearance: SQLite counts them, Postgres reads the number.
const RESERVE = `
  INSERT INTO budgets (user_id, day, used) VALUES ($1, $2, $3)
  ON CONFLICT (user_id) DO UPDATE SET
    day = CASE WHEN excluded.day > budgets.day THEN excluded.day ELSE budgets.day END,
    used = CASE WHEN excluded.day > budgets.day THEN 0 ELSE budgets.used END + excluded.used
  WHERE CASE WHEN excluded.day > budgets.day THEN 0 ELSE budgets.used END + excluded.used <= $4
  RETURNING day`;

const GIVE_BACK = `
  UPDATE budgets SET used = CASE WHEN used > $1 THEN used - $1 ELSE 0 END
  WHERE user_id = $2 AND day = $3`;

const RESET = 'UPDATE budgets SET used = 0 WHERE user_id = $1 AND day >= $2';

/** One row per user, for the latest day that was charged; for both SQLite and Postgres. */
@Injectable()
export class SqlBudgetStore extends BudgetStore {
  constructor(private readonly dataSource: DataSource) {
    super();
  }

  override async read(userId: string, day: string): Promise<DayBalance> {
    const row = await READ.find(this.dataSource, userId);
    const { day: latest = null, used, credits = null } = row ?? {};
    const ownLimit = credits === null ? null : Number(credits);
    if (latest === null || String(latest) < day) return { day, used: 0, ownLimit };
    return { day: String(latest), used: Number(used), ownLimit };
  }

  override async reserve(userId: string, day: string, amount: number, limit: number) {
    if (amount > limit) return undefined;
    const parameters = [userId, day, amount, limit];
    const [row] = await this.dataSource.query<{ day: string }[]>(RESERVE, parameters);
    return row?.day;
  }

  override async forget(userId: string, deletion: Deletion) {
    await deletion.query('DELETE FROM budgets WHERE user_id = $1', [userId]);
  }

  override async giveBack(userId: string, day: string, amount: number) {
    await this.dataSource.query(GIVE_BACK, [amount, userId, day]);
  }

  override async reset(userId: string, day: string) {
    await this.dataSource.query(RESET, [userId, day]);
  }
}
