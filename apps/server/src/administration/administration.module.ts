import { type DynamicModule, Module, type ModuleMetadata } from '@nestjs/common';
import { AppsAdministrationService } from './apps-administration.service.js';
import { AuditAdministrationService } from './audit-administration.service.js';
import { BlocksAdministrationService } from './blocks-administration.service.js';
import { BudgetAdministrationService } from './budget-administration.service.js';
import { ClientsAdministrationService } from './clients-administration.service.js';
import { InvitesAdministrationService } from './invites-administration.service.js';
import { UsersAdministrationService } from './users-administration.service.js';

const services = [
  AppsAdministrationService,
  AuditAdministrationService,
  BlocksAdministrationService,
  BudgetAdministrationService,
  ClientsAdministrationService,
  InvitesAdministrationService,
  UsersAdministrationService,
];

/** What those who run the service can do; `imports` brings accounts, clients, budgets and the audit trail. */
@Module({ providers: services, exports: services })
export class AdministrationModule {
  static forRoot({ imports = [] }: Pick<ModuleMetadata, 'imports'>): DynamicModule {
    return { module: AdministrationModule, imports };
  }
}
