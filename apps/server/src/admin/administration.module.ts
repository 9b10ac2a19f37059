import { Module } from '@nestjs/common';
import {
  ADMINISTRATION_OPTIONS,
  ConfigurableModuleClass,
} from './administration.module-definition.js';
import { Administration } from './administration.service.js';
import { BudgetsController } from './budgets.controller.js';
import { ClientsController } from './clients.controller.js';
import { UsersController } from './users.controller.js';

/** What the operations of administration need, and some of them for extensions. It has no routes. */
@Module({
  providers: [Administration, BudgetsController, ClientsController, UsersController],
  exports: [Administration, ADMINISTRATION_OPTIONS],
})
export class AdministrationModule extends ConfigurableModuleClass {}
