import { type DynamicModule, Module, type ModuleMetadata } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditEventEntity } from './audit-event.entity.js';
import { AuditReaderService } from './audit-reader.service.js';
import { AuditSweeperService } from './audit-sweeper.service.js';
import { AuditTrailService } from './audit-trail.service.js';

/** The audit trail; `imports` has to bring AccountsModule and OutboxModule. */
@Module({
  imports: [TypeOrmModule.forFeature([AuditEventEntity])],
  providers: [AuditReaderService, AuditTrailService, AuditSweeperService],
  exports: [AuditReaderService],
})
export class AuditModule {
  static forRoot({ imports = [] }: Pick<ModuleMetadata, 'imports'>): DynamicModule {
    return { module: AuditModule, imports };
  }
}
