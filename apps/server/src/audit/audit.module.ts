import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SweeperModule, SweeperService, expiredRows } from '#libs/platform';
import { AuditConnectionCalls } from './audit-calls.store.js';
import { AuditEventEntity } from './audit-event.entity.js';
import { AuditReader } from './audit-reader.store.js';
import { AuditUsage } from './audit-usage.store.js';
import { AuditTrailService } from './audit-trail.service.js';
import { ConfigurableModuleClass } from './audit.module-definition.js';

@Module({
  imports: [SweeperModule, TypeOrmModule.forFeature([AuditEventEntity])],
  providers: [AuditConnectionCalls, AuditReader, AuditTrailService, AuditUsage],
  exports: [AuditConnectionCalls, AuditReader, AuditTrailService, AuditUsage],
})
export class AuditModule extends ConfigurableModuleClass {
  constructor(sweeper: SweeperService) {
    super();
    sweeper.add(expiredRows(AuditEventEntity, 'id'));
  }
}
