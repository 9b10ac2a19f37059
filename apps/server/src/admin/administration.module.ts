import { Module } from '@nestjs/common';
import {
  ADMINISTRATION_OPTIONS,
  ConfigurableModuleClass,
} from './administration.module-definition.js';
import { BudgetAdministrationService } from './budget.service.js';

/** What the operations of administration need; who imports it brings their controllers. */
@Module({
  providers: [BudgetAdministrationService],
  exports: [BudgetAdministrationService, ADMINISTRATION_OPTIONS],
})
export class AdministrationModule extends ConfigurableModuleClass {}
