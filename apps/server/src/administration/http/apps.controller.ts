import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { AppsAdministrationService } from '../apps-administration.service.js';
import { Actor } from './admin-token.guard.js';
import { AppsPage, AppsQuery, ConnectedApp } from './dto/apps.dto.js';
import { Operation } from './operation.decorator.js';

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
