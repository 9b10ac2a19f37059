import { Module } from '@nestjs/common';
import { ConfigurableModuleClass } from './administration.module-definition.js';
import { AppsAdministrationService } from './apps.service.js';
import { AuditAdministrationService } from './audit.service.js';
import { BudgetAdministrationService } from './budget.service.js';
import { ClientsAdministrationService } from './clients.service.js';
import { EventsAdministrationService } from './events.service.js';
import { InvitesAdministrationService } from './invites.service.js';
import { RecoveryAdministrationService } from './recovery.service.js';
import { UsersAdministrationService } from './users.service.js';

/** The services of the operations, which the command line and the HTTP API have alike. */
export const ADMINISTRATION_SERVICES = [
  AppsAdministrationService,
  AuditAdministrationService,
  BudgetAdministrationService,
  ClientsAdministrationService,
  EventsAdministrationService,
  InvitesAdministrationService,
  RecoveryAdministrationService,
  UsersAdministrationService,
];

@Module({ providers: ADMINISTRATION_SERVICES, exports: ADMINISTRATION_SERVICES })
export class AdministrationModule extends ConfigurableModuleClass {}
