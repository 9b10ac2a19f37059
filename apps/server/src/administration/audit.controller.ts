import { Controller, Get, Query } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import type { SecurityEventType } from '#libs/accounts';
import { AuditAdministrationService } from './audit.service.js';
import { Operation } from './http/admin-document.js';
import { NULLABLE_TEXT, Optional, PageOf, PageQuery, Text, Time, TIME } from './http/page.dto.js';

class AuditQuery extends PageQuery {
  @Optional()
  @Text(64)
  user?: string;

  @Optional()
  @ApiProperty({ type: String })
  @Text(32)
  type?: SecurityEventType;

  @Optional()
  @Text(2048)
  client?: string;

  @Optional()
  @Text(64)
  request?: string;

  @Optional()
  @Text(64)
  network?: string;

  @Optional()
  @Text(64)
  actor?: string;

  /** Epoch milliseconds. */
  @Optional()
  @Time('ago')
  since?: number;

  /** Epoch milliseconds. */
  @Optional()
  @Time('ago')
  until?: number;
}

export class AuditRow {
  @ApiProperty() id!: string;
  @ApiProperty(TIME) at!: string;
  @ApiProperty() type!: string;
  @ApiProperty(NULLABLE_TEXT) user!: string | null;
  @ApiProperty(NULLABLE_TEXT) client!: string | null;
  @ApiProperty(NULLABLE_TEXT) grant!: string | null;
  @ApiProperty(NULLABLE_TEXT) origin!: string | null;
  @ApiProperty(NULLABLE_TEXT) actor!: string | null;
  @ApiProperty(NULLABLE_TEXT) detail!: string | null;
  @ApiProperty({ type: 'integer' }) count!: number;
  @ApiProperty({ ...TIME, nullable: true }) lastAt!: string | null;
  @ApiProperty(NULLABLE_TEXT) network!: string | null;
  @ApiProperty(NULLABLE_TEXT) request!: string | null;
}

class AuditPage extends PageOf(AuditRow) {}

@Controller('admin/audit')
export class AuditController {
  constructor(private readonly audit: AuditAdministrationService) {}

  @Get()
  @Operation('What happened, newest first', AuditPage)
  listEvents(@Query() asked: AuditQuery): Promise<AuditPage> {
    return this.audit.list(asked);
  }
}
