import { type DynamicModule, Module, type ModuleMetadata } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditEventEntity } from './audit-event.entity.js';
import { AuditSweeperService } from './audit-sweeper.service.js';
import { AuditTrailService } from './audit-trail.service.js';

/** The audit trail; `imports` has to bring AccountsModule. */
@Module({
  imports: [TypeOrmModule.forFeature([AuditEventEntity])],
  providers: [AuditTrailService, AuditSweeperService],
})
export class AuditModule {
  static forRoot({ imports = [] }: Pick<ModuleMetadata, 'imports'>): DynamicModule {
    return { module: AuditModule, imports };
  }
}
