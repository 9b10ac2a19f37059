import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { AppsAdministrationService } from './apps.service.js';
import { Operation } from './http/admin-document.js';
import { Actor } from './http/admin-token.guard.js';
import { BoundedText, NULLABLE_TEXT, PageOf, PageQuery, TIME } from './operation/page.dto.js';

class AppsQuery extends PageQuery {
  @BoundedText(64) user!: string;
}

class ConnectedApp {
  @ApiProperty() id!: string;
  @ApiProperty() user!: string;
  @ApiProperty() client!: string;
  @ApiProperty() app!: string;
  @ApiProperty(NULLABLE_TEXT) redirectHost!: string | null;
  @ApiProperty({ required: false, description: 'Left out for /svc/mcp' }) resource?: string;
  @ApiProperty({ required: false, description: 'The trusted issuer that decides about it' })
  managedBy?: string;
  @ApiProperty({ type: [String] }) scope!: readonly string[];
  @ApiProperty(TIME) createdAt!: string;
  @ApiProperty(TIME) lastUsedAt!: string;
  @ApiProperty(TIME) expiresAt!: string;
}

class AppsPage extends PageOf(ConnectedApp) {}

@Controller('admin/apps')
export class AppsController {
  constructor(private readonly apps: AppsAdministrationService) {}

  @Get()
  @Operation('Connected apps of one account, newest first', AppsPage)
  listApps(@Query() asked: AppsQuery): Promise<AppsPage> {
    return this.apps.list(asked);
  }

  @Post(':id/revoke')
  @Operation('Disconnects an app', ConnectedApp)
  revokeApp(@Param('id') id: string, @Actor() actor: string): Promise<ConnectedApp> {
    return this.apps.revoke(id, actor);
  }
}
