import { Controller, Get, Query } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import type { SecurityEventType } from '#libs/accounts';
import { AuditAdministrationService } from './audit.service.js';
import { Operation } from './http/admin-document.js';
import {
  BoundedText,
  NULLABLE_TEXT,
  NULLABLE_TIME,
  Optional,
  PageOf,
  PageQuery,
  Time,
  TIME,
} from './operation/page.dto.js';

/** `since` and `until` are read as epoch milliseconds. */
class AuditQuery extends PageQuery {
  @Optional() @BoundedText(64) user?: string;
  @Optional() @ApiProperty({ type: String }) @BoundedText(32) type?: SecurityEventType;
  @Optional() @BoundedText(2048) client?: string;
  @Optional() @BoundedText(64) request?: string;
  @Optional() @BoundedText(64) network?: string;
  @Optional() @BoundedText(64) actor?: string;
  @Optional() @Time('ago') since?: number;
  @Optional() @Time('ago') until?: number;
}

class AuditRow {
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
  @ApiProperty(NULLABLE_TIME) lastAt!: string | null;
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
