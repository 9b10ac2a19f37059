import { Controller, Get, Query } from '@nestjs/common';
import { AuditAdministrationService } from '../audit-administration.service.js';
import { AuditPage, AuditQuery } from './dto/audit.dto.js';
import { Operation } from './operation.decorator.js';

@Controller('admin/audit')
export class AuditController {
  constructor(private readonly audit: AuditAdministrationService) {}

  @Get()
  @Operation('What happened, newest first', AuditPage)
  listEvents(@Query() asked: AuditQuery): Promise<AuditPage> {
    return this.audit.list(asked);
  }
}
