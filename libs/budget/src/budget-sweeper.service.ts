import { Injectable } from '@nestjs/common';
import { DataSource, In, LessThan } from 'typeorm';
import { SweeperService } from '#libs/database';
import { budgetDay } from './budget-day.js';
import { BudgetEntity } from './budget.entity.js';

const BATCH = 100;
/** Whatever the clock of a replica says, no day of anybody else's is swept while it counts. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** Removes what was used on days that are long over, of accounts that are gone too. */
@Injectable()
export class BudgetSweeperService extends SweeperService {
  constructor(private readonly budgets: DataSource) {
    super(budgets, [{ entity: BudgetEntity, key: 'userId' }]);
  }

  protected override async sweepBatch(): Promise<number> {
    const { manager } = this.budgets;
    const over = { day: LessThan(budgetDay(new Date(Date.now() - KEPT_MS))) };
    const rows = await manager.find(BudgetEntity, { where: over, take: BATCH });
    if (rows.length === 0) return 0;
    // One that was charged since it was read has another day by now, and stays.
    await manager.delete(BudgetEntity, { userId: In(rows.map(({ userId }) => userId)), ...over });
    return rows.length;
  }
}
