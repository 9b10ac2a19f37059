import { Module, type Type } from '@nestjs/common';
import type { ModuleRef } from '@nestjs/core';
import { ConfigurableModuleClass } from './administration.module-definition.js';
import { AppsAdministrationService } from './apps.service.js';
import { AuditAdministrationService } from './audit.service.js';
import { BudgetAdministrationService } from './budget.service.js';
import { ClientsAdministrationService } from './clients.service.js';
import { EventsAdministrationService } from './events.service.js';
import { InvitesAdministrationService } from './invites.service.js';
import { RecoveryAdministrationService } from './recovery.service.js';
import { UsersAdministrationService } from './users.service.js';

const SERVICES = {
  apps: AppsAdministrationService,
  audit: AuditAdministrationService,
  budgets: BudgetAdministrationService,
  clients: ClientsAdministrationService,
  events: EventsAdministrationService,
  invites: InvitesAdministrationService,
  recovery: RecoveryAdministrationService,
  users: UsersAdministrationService,
};

/** All administration services, used by the command line and the HTTP API alike. */
export const ADMINISTRATION_SERVICES = Object.values<Type>(SERVICES);

export type AdministrationServices = {
  readonly [Name in keyof typeof SERVICES]: InstanceType<(typeof SERVICES)[Name]>;
};

/** The services of an application that imports AdministrationModule. */
export const administrationServices = (app: Pick<ModuleRef, 'get'>) =>
  Object.fromEntries(
    Object.entries<Type>(SERVICES).map(([name, service]) => [
      name,
      app.get(service, { strict: false }),
    ]),
  ) as unknown as AdministrationServices;

@Module({ providers: ADMINISTRATION_SERVICES, exports: ADMINISTRATION_SERVICES })
export class AdministrationModule extends ConfigurableModuleClass {}
