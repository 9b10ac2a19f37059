import { Module } from '@nestjs/common';
import type { ModuleRef } from '@nestjs/core';
import { ConfigurableModuleClass } from './administration.module-definition.js';
import { AppsAdministrationService } from './apps.service.js';
import { AuditAdministrationService } from './audit.service.js';
import { BlocksAdministrationService } from './blocks.service.js';
import { BudgetAdministrationService } from './budget.service.js';
import { ClientsAdministrationService } from './clients.service.js';
import { EventsAdministrationService } from './events.service.js';
import { InvitesAdministrationService } from './invites.service.js';
import { RecoveryAdministrationService } from './recovery.service.js';
import { UsersAdministrationService } from './users.service.js';

/** All administration services. */
export type AdministrationServices = ReturnType<typeof administrationServices>;

/** The services of AdministrationModule, from the application or from a module that imports it. */
export const administrationServices = (from: Pick<ModuleRef, 'get'>) => ({
  apps: from.get(AppsAdministrationService, { strict: false }),
  audit: from.get(AuditAdministrationService, { strict: false }),
  blocks: from.get(BlocksAdministrationService, { strict: false }),
  budgets: from.get(BudgetAdministrationService, { strict: false }),
  clients: from.get(ClientsAdministrationService, { strict: false }),
  events: from.get(EventsAdministrationService, { strict: false }),
  invites: from.get(InvitesAdministrationService, { strict: false }),
  recovery: from.get(RecoveryAdministrationService, { strict: false }),
  users: from.get(UsersAdministrationService, { strict: false }),
});

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
