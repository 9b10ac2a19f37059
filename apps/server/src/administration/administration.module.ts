import { Module } from '@nestjs/common';
import { ConfigurableModuleClass } from './administration.module-definition.js';
import { AppsAdministrationService } from './apps-administration.service.js';
import { AuditAdministrationService } from './audit-administration.service.js';
import { BlocksAdministrationService } from './blocks-administration.service.js';
import { BudgetAdministrationService } from './budget-administration.service.js';
import { ClientsAdministrationService } from './clients-administration.service.js';
import { EventsAdministrationService } from './events-administration.service.js';
import { InvitesAdministrationService } from './invites-administration.service.js';
import { RecoveryAdministrationService } from './recovery-administration.service.js';
import { UsersAdministrationService } from './users-administration.service.js';

/** All administration services, used by the command line and the HTTP API alike. */
export const ADMINISTRATION_SERVICES = [
  AppsAdministrationService,
  AuditAdministrationService,
  BlocksAdministrationService,
  BudgetAdministrationService,
  ClientsAdministrationService,
  EventsAdministrationService,
  InvitesAdministrationService,
  RecoveryAdministrationService,
  UsersAdministrationService,
];

/** What operators can do. */
@Module({ providers: ADMINISTRATION_SERVICES, exports: ADMINISTRATION_SERVICES })
export class AdministrationModule extends ConfigurableModuleClass {}
