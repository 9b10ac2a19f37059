import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SweeperModule, SweeperService } from '#libs/platform';
import { BudgetLimits } from './budget-limits.js';
import { BudgetMeter, NoBudgetMeter } from './budget-meter.js';
import { BudgetStore } from './budget-store.js';
import { SqlBudgetStore } from './budget-store.sql.js';
import { BudgetEntity } from './budget.entity.js';
import { ConfigurableModuleClass } from './budget.module-definition.js';
import { BudgetService } from './budget.service.js';
import { DailyLimitsService } from './daily-limits.service.js';
import { OwnLimitEntity } from './own-limit.entity.js';
import { OwnLimits } from './own-limits.sql.js';
import { sweepPastDays } from './past-days.sql.js';
import { SetBudgetLimits } from './set-budget-limits.adapter.js';

/**
 * A budget of credits per user and UTC day; exports BudgetService. Needs a TypeORM connection with `BudgetEntity`,
 * `OwnLimitEntity` and `budgetMigrations`, even when a RedisBudgetStore replaces BudgetStore.
 */
@Module({
  imports: [SweeperModule, TypeOrmModule.forFeature([BudgetEntity, OwnLimitEntity])],
  providers: [
    BudgetService,
    DailyLimitsService,
    OwnLimits,
    { provide: BudgetLimits, useClass: SetBudgetLimits },
    { provide: BudgetMeter, useClass: NoBudgetMeter },
    { provide: BudgetStore, useClass: SqlBudgetStore },
  ],
  exports: [BudgetService, OwnLimits],
})
export class BudgetModule extends ConfigurableModuleClass {
  constructor(sweeper: SweeperService) {
    super();
    sweeper.add(sweepPastDays);
  }
}
