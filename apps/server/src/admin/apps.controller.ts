import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { RefusalError, SecurityEventsService, UserDirectoryService } from '#libs/accounts';
import { type GrantEntity, GrantStore } from '#libs/oauth';
import { NULLABLE_TEXT, PageOf, PageQuery, Text, TIME } from './operation/input.js';
import { Actor, Operation } from './operation/operation.js';
import { mapPage, toIsoTime } from './operation/values.js';

class AppsQuery extends PageQuery {
  @Text(64, '--user <id>', 'the account') user!: string;
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

const toApp = (grant: GrantEntity): ConnectedApp => ({
  id: grant.id,
  user: grant.userId,
  client: grant.clientId,
  app: grant.app,
  redirectHost: grant.redirectHost,
  ...(grant.resource === null ? {} : { resource: grant.resource }),
  ...(grant.managedBy === null ? {} : { managedBy: grant.managedBy }),
  scope: grant.scope.split(' ').filter(Boolean),
  createdAt: toIsoTime(grant.createdAt),
  lastUsedAt: toIsoTime(grant.lastUsedAt),
  expiresAt: toIsoTime(grant.expiresAt),
});

const unknownApp = () => new RefusalError(404, 'there is no connected app of that id');

@Controller('admin/apps')
export class AppsController {
  constructor(
    private readonly users: UserDirectoryService,
    private readonly grants: GrantStore,
    private readonly events: SecurityEventsService,
  ) {}

  @Get()
  @Operation('Connected apps of one account, newest first', AppsPage, { command: 'apps list' })
  async listApps(@Query() { user, ...page }: AppsQuery) {
    await this.users.get(user);
    return mapPage(await this.grants.page(user, page), toApp);
  }

  /** As its user would. 404 for all but one of parallel calls. */
  @Post(':id/revoke')
  @Operation('Disconnects an app', ConnectedApp, {
    command: 'apps revoke <id>',
    asks: async (controller: AppsController, id: string) => {
      const { app, userId } = await controller.get(id);
      return `Disconnect ${app} from account ${userId}?`;
    },
    says: ({ app }) => `Disconnected: ${app}.`,
  })
  async revokeApp(@Param('id') id: string, @Actor() actor: string) {
    const grant = await this.get(id);
    if (!(await this.grants.disconnect(grant))) throw unknownApp();
    const { userId, clientId, app } = grant;
    const event = { userId, clientId, app, grantId: id, origin: '', actor };
    this.events.emit({ type: 'app-disconnected', ...event });
    return toApp(grant);
  }

  private async get(id: string) {
    const grant = await this.grants.findActive(id);
    if (!grant) throw unknownApp();
    return grant;
  }
}
