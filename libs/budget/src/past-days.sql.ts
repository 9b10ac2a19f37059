import { type DataSource, In, LessThan } from 'typeorm';
import { budgetDay } from './budget-day.js';
import { BudgetEntity } from './budget.entity.js';

/** Long enough that a replica whose clock is ahead deletes no day that still counts for another. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** A sweep that deletes the counters of past days, those of deleted accounts included. */
export async function sweepPastDays({ manager }: DataSource, limit: number): Promise<number> {
  const over = { day: LessThan(budgetDay(new Date(Date.now() - KEPT_MS))) };
  const rows = await manager.find(BudgetEntity, { where: over, take: limit });
  if (rows.length === 0) return 0;
  // A row that was charged after it was read has a later day now and is kept.
  await manager.delete(BudgetEntity, { userId: In(rows.map(({ userId }) => userId)), ...over });
  return rows.length;
}
