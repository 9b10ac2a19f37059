import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { AppsAdministrationService } from './apps.service.js';
import {
  BoundedText,
  CommandOption,
  NULLABLE_TEXT,
  PageOf,
  PageQuery,
  TIME,
} from './operation/input.js';
import { Actor, Operation } from './operation/operation.js';

class AppsQuery extends PageQuery {
  @CommandOption('--user <id>', 'the account') @BoundedText(64) user!: string;
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

class AppsPage extends PageOf(
  ConnectedApp,
  ['id', 'app', 'client', 'scope', 'lastUsedAt', 'expiresAt'],
  ['resource', 'managedBy'],
) {}

@Controller('admin/apps')
export class AppsController {
  constructor(private readonly apps: AppsAdministrationService) {}

  @Get()
  @Operation('Connected apps of one account, newest first', AppsPage, { command: 'apps list' })
  listApps(@Query() query: AppsQuery) {
    return this.apps.list(query);
  }

  @Post(':id/revoke')
  @Operation('Disconnects an app', ConnectedApp, {
    command: 'apps revoke <id>',
    asks: async ({ apps }: AppsController, id: string) => {
      const { app, user } = await apps.show(id);
      return `Disconnect ${app} from account ${user}?`;
    },
    says: ({ app }) => `Disconnected: ${app}.`,
  })
  revokeApp(@Param('id') id: string, @Actor() actor: string) {
    return this.apps.revoke(id, actor);
  }
}
