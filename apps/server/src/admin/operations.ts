import type { Type } from '@nestjs/common';
import { AppsController } from './apps.controller.js';
import { AuditController } from './audit.controller.js';
import { BudgetsController } from './budgets.controller.js';
import { ClientsController } from './clients.controller.js';
import { EventsController } from './events.controller.js';
import { InvitesController } from './invites.controller.js';
import { RecoveryController } from './recovery.controller.js';
import { UsageController } from './usage.controller.js';
import { UsersController } from './users.controller.js';

export const OPERATIONS: readonly Type[] = [
  UsersController,
  RecoveryController,
  ClientsController,
  InvitesController,
  AppsController,
  BudgetsController,
  AuditController,
  UsageController,
  EventsController,
];
