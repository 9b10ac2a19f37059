import { type DynamicModule, Module, type ModuleMetadata } from '@nestjs/common';
import { AuditAdministrationService } from './audit-administration.service.js';
import { UsersAdministrationService } from './users-administration.service.js';

const services = [AuditAdministrationService, UsersAdministrationService];

/** What those who run the service can do; `imports` brings accounts and the audit trail. */
@Module({ providers: services, exports: services })
export class AdministrationModule {
  static forRoot({ imports = [] }: Pick<ModuleMetadata, 'imports'>): DynamicModule {
    return { module: AdministrationModule, imports };
  }
}
