import type { ModuleRef } from '@nestjs/core';
import { AppsAdministrationService } from './apps-administration.service.js';
import { AuditAdministrationService } from './audit-administration.service.js';
import { BlocksAdministrationService } from './blocks-administration.service.js';
import { BudgetAdministrationService } from './budget-administration.service.js';
import { ClientsAdministrationService } from './clients-administration.service.js';
import { EventsAdministrationService } from './events-administration.service.js';
import { InvitesAdministrationService } from './invites-administration.service.js';
import { RecoveryAdministrationService } from './recovery-administration.service.js';
import { UsersAdministrationService } from './users-administration.service.js';

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
