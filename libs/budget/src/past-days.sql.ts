import { type DataSource, In, LessThan } from 'typeorm';
import { budgetDay } from './budget-day.js';
import { BudgetEntity } from './budget.entity.js';

/** A day is kept this long, so that a replica whose clock is ahead sweeps none that counts for another. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** A sweep that removes what was used on days that are long over, of deleted accounts too. */
export async function sweepPastDays({ manager }: DataSource, limit: number): Promise<number> {
  const over = { day: LessThan(budgetDay(new Date(Date.now() - KEPT_MS))) };
  const rows = await manager.find(BudgetEntity, { where: over, take: limit });
  if (rows.length === 0) return 0;
  // One that was charged since it was read has another day by now, and stays.
  await manager.delete(BudgetEntity, { userId: In(rows.map(({ userId }) => userId)), ...over });
  return rows.length;
}
