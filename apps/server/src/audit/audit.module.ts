import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditEventEntity } from './audit-event.entity.js';
import { AuditReaderService } from './audit-reader.service.js';
import { AuditSweeperService } from './audit-sweeper.service.js';
import { AuditTrailService } from './audit-trail.service.js';
import { ConfigurableModuleClass } from './audit.module-definition.js';

/** The audit trail. */
@Module({
  imports: [TypeOrmModule.forFeature([AuditEventEntity])],
  providers: [AuditReaderService, AuditTrailService, AuditSweeperService],
  exports: [AuditReaderService],
})
export class AuditModule extends ConfigurableModuleClass {}
