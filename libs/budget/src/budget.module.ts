import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BudgetStore } from './budget-store.js';
import { SqlBudgetStore } from './budget-store.sql.js';
import { BudgetEntity } from './budget.entity.js';
import { ConfigurableModuleClass } from './budget.module-definition.js';
import { BudgetService } from './budget.service.js';

/**
 * A budget of credits per user and UTC day, by BudgetService. Needs a TypeORM connection with
 * `BudgetEntity` and `budgetMigrations`, even where a RedisBudgetStore replaces BudgetStore.
 */
@Module({
  imports: [TypeOrmModule.forFeature([BudgetEntity])],
  providers: [BudgetService, { provide: BudgetStore, useClass: SqlBudgetStore }],
  exports: [BudgetService],
})
export class BudgetModule extends ConfigurableModuleClass {}
