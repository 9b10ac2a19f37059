import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SweeperModule, SweeperService } from '#libs/platform';
import { BudgetLimits, SetBudgetLimits } from './budget-limits.js';
import { BudgetMeter, BudgetService } from './budget.service.js';
import { BudgetStore } from './budget-store.js';
import {
  BudgetEntity,
  ConnectionBudgetEntity,
  SqlBudgetStore,
  sweepPastDays,
  sweepPastDaysOfConnections,
} from './budget-store.sql.js';
import { ConfigurableModuleClass } from './budget.module-definition.js';
import { OwnLimitEntity, OwnLimits } from './own-limits.store.js';

/** A budget of credits per user and UTC day. Its entities and `budgetMigrations` are needed with Redis too. */
@Module({
  imports: [
    SweeperModule,
    TypeOrmModule.forFeature([BudgetEntity, ConnectionBudgetEntity, OwnLimitEntity]),
  ],
  providers: [
    BudgetService,
    OwnLimits,
    { provide: BudgetLimits, useClass: SetBudgetLimits },
    BudgetMeter,
    { provide: BudgetStore, useClass: SqlBudgetStore },
  ],
  exports: [BudgetService, OwnLimits],
})
export class BudgetModule extends ConfigurableModuleClass {
  constructor(sweeper: SweeperService) {
    super();
    sweeper.add(sweepPastDays, sweepPastDaysOfConnections);
  }
}
