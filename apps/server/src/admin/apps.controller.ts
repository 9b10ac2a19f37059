import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';
import { RefusalError, SecurityEventsService, UserDirectoryService } from '#libs/accounts';
import {
  type ConnectionCall,
  type ConnectionChange,
  ConnectionReaderService,
  ConnectionStore,
  eventOf,
  expectFitting,
  type GrantEntity,
  GrantStore,
  isEnd,
  isPermissions,
  MAX_CREDITS,
  type Permission,
  permissionsOf,
  usableScopes,
  widens,
} from '#libs/oauth';
import { epochSeconds } from '#libs/platform';
import {
  CommandOption,
  digits,
  NULLABLE_INTEGER,
  NULLABLE_TEXT,
  NULLABLE_TIME,
  Optional,
  OptionalTime,
  PageOf,
  PageQuery,
  TakenBy,
  Text,
  TIME,
} from './operation/input.js';
import { Actor, Operation } from './operation/operation.js';
import { mapPage, toIsoTime } from './operation/values.js';

class AppsQuery extends PageQuery {
  @Text(64, '--user <id>', 'the account') user!: string;
}

class AppOfAccount {
  @ApiProperty() id!: string;
  @ApiProperty() user!: string;
  @ApiProperty() client!: string;
  @ApiProperty() app!: string;
  @ApiProperty(NULLABLE_TEXT) redirectHost!: string | null;
  @ApiProperty(TIME) createdAt!: string;
  @ApiProperty(TIME) lastUsedAt!: string;
  @ApiProperty(TIME) expiresAt!: string;
}

class ConnectedApp extends AppOfAccount {
  @ApiProperty({ required: false, description: 'Left out for /svc/mcp' }) resource?: string;
  @ApiProperty({ required: false, description: 'The trusted issuer that decides about it' })
  managedBy?: string;
  @ApiProperty({ type: [String] }) scope!: readonly string[];
}

class AppsPage extends PageOf(
  ConnectedApp,
  ['id', 'app', 'client', 'scope', 'lastUsedAt', 'expiresAt'],
  ['resource', 'managedBy'],
) {}

const PERMISSIONS = {
  type: 'object',
  additionalProperties: { type: 'string', enum: ['allow', 'ask', 'off'] },
} satisfies ApiPropertyOptions;

const CREDITS = { message: `$property takes a whole number from 0 to ${MAX_CREDITS}` };

/** A scope that is there twice makes no permissions. */
const permissionsIn = (texts: readonly string[]) => {
  const words = new Map(texts.map((text) => text.split(/=(.*)/s) as [string, string]));
  return words.size === texts.length ? Object.fromEntries(words) : texts;
};

/** What an administrator changes: each towards less, but the administrator's own pause. */
class AppChange {
  @CommandOption('--permission <scope=word...>', 'ask or off in place of what it may do', {
    parseAll: permissionsIn,
  })
  @Optional()
  @ApiProperty(PERMISSIONS)
  @TakenBy(isPermissions, 'scopes, each once, with allow, ask or off')
  permissions?: Record<string, Permission>;

  @CommandOption('--may-not-ask', 'refuse what is off, without a question to its person', {
    value: false,
  })
  @Optional()
  @ApiProperty({ type: Boolean, enum: [false] })
  @TakenBy((value) => value === false, 'false alone')
  mayAsk?: boolean;

  @CommandOption('--pause', 'refuse its calls', { value: true })
  @CommandOption('--resume', 'end that, but not a pause of its person', {
    value: false,
    conflicts: 'pause',
  })
  @Optional()
  @ApiProperty({ type: Boolean })
  @TakenBy((value) => typeof value === 'boolean', 'true or false')
  paused?: boolean;

  @CommandOption('--daily-credits <credits>', 'the most that it may use a day', { parse: digits })
  @Optional()
  @ApiProperty({ type: 'integer', minimum: 0, maximum: MAX_CREDITS })
  @IsInt(CREDITS)
  @Min(0, CREDITS)
  @Max(MAX_CREDITS, CREDITS)
  dailyCredits?: number;

  /** Epoch milliseconds. */
  @OptionalTime('from-now', '--ends-at <time>', 'when it is disconnected at the latest')
  @TakenBy((at) => isEnd(epochSeconds(Number(at))), 'a time from now to ten years')
  endsAt?: number;
}

/** A connection as its person sees it, with the account and the client. */
class ShownApp extends AppOfAccount {
  @ApiProperty(NULLABLE_TEXT) published!: string | null;
  @ApiProperty() resource!: string;
  @ApiProperty() resourceName!: string;
  @ApiProperty(NULLABLE_TEXT) managedBy!: string | null;
  @ApiProperty(PERMISSIONS) permissions!: Readonly<Record<string, Permission>>;
  @ApiProperty() mayAsk!: boolean;
  @ApiProperty() paused!: boolean;
  @ApiProperty(NULLABLE_TEXT) pausedBy!: string | null;
  @ApiProperty(NULLABLE_INTEGER) dailyCredits!: number | null;
  @ApiProperty(NULLABLE_INTEGER) usedToday!: number | null;
  @ApiProperty(NULLABLE_TIME) endsAt!: string | null;
}

class CalledPage {
  @ApiProperty() host!: string;
  @ApiProperty() title!: string;
}

class AppCall {
  @ApiProperty() id!: string;
  @ApiProperty(TIME) at!: string;
  @ApiProperty(TIME) lastAt!: string;
  @ApiProperty({ type: 'integer' }) count!: number;
  @ApiProperty(NULLABLE_TEXT) kind!: string | null;
  @ApiProperty(NULLABLE_TEXT) name!: string | null;
  @ApiProperty(NULLABLE_TEXT) title!: string | null;
  @ApiProperty({ type: CalledPage, nullable: true }) page!: CalledPage | null;
  @ApiProperty(NULLABLE_TEXT) outcome!: string | null;
  @ApiProperty({ type: 'integer' }) credits!: number;
  @ApiProperty({ type: 'integer' }) durationMs!: number;
  @ApiProperty(NULLABLE_TEXT) approved!: string | null;
}

class AppCallsPage extends PageOf(
  AppCall,
  ['lastAt', 'kind', 'name', 'outcome', 'count', 'credits'],
  ['page', 'approved'],
) {}

const toCall = (call: ConnectionCall): AppCall => ({
  ...call,
  at: toIsoTime(call.at),
  lastAt: toIsoTime(call.lastAt),
});

const toApp = (grant: GrantEntity): ConnectedApp => ({
  id: grant.id,
  user: grant.userId,
  client: grant.clientId,
  app: grant.app,
  redirectHost: grant.redirectHost,
  ...(grant.resource === null ? {} : { resource: grant.resource }),
  ...(grant.managedBy === null ? {} : { managedBy: grant.managedBy }),
  scope: usableScopes(grant),
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
    private readonly connections: ConnectionStore,
    private readonly reader: ConnectionReaderService,
    private readonly events: SecurityEventsService,
  ) {}

  @Get()
  @Operation('Connected apps of one account, newest first', AppsPage, { command: 'apps list' })
  async listApps(@Query() { user, ...page }: AppsQuery) {
    await this.users.get(user);
    return mapPage(await this.grants.page(user, page), toApp);
  }

  @Get(':id')
  @Operation('What an app may do, and its limits', ShownApp, { command: 'apps show <id>' })
  async showApp(@Param('id') id: string) {
    return this.describe(await this.get(id));
  }

  /** A person may widen again what was narrowed, but not end this pause. */
  @Patch(':id')
  @Operation('Lets an app do less, pauses it, or ends that pause', ShownApp, {
    command: 'apps set <id>',
  })
  async setApp(@Param('id') id: string, @Body() change: AppChange, @Actor() actor: string) {
    const changed = await this.connections.change(id, (grant) => this.narrowing(grant, change));
    if (!changed) throw unknownApp();
    const event = eventOf(changed, { origin: '', actor });
    if (event) this.events.emit(event);
    return this.describe(changed.grant);
  }

  @Get(':id/calls')
  @Operation('What an app did, newest first', AppCallsPage, { command: 'apps calls <id>' })
  async listCalls(@Param('id') id: string, @Query() { limit, after }: PageQuery) {
    await this.get(id);
    const { calls, next } = await this.reader.calls.page(id, { limit, before: after });
    return mapPage({ items: calls, next }, toCall);
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

  private narrowing(grant: GrantEntity, { paused, ...others }: AppChange): ConnectionChange {
    const given = Object.entries(others).filter(([, value]) => value !== undefined);
    const change: ConnectionChange = Object.fromEntries(given);
    const { scopes = [] } = this.reader.resourceOf(grant) ?? {};
    const names = [...scopes.map(({ name }) => name), ...permissionsOf(grant).keys()];
    expectFitting(grant, names, change.permissions ?? {});
    for (const [member, value] of given) {
      if (!widens(grant, { [member]: value })) continue;
      const message = `${member} would let the app do more, which only its person can; give less than it has now`;
      throw new RefusalError(400, message);
    }
    return { ...change, ...(paused !== undefined && { isPausedByAdministrator: paused }) };
  }

  /** With all scopes that were ever given, also those that this process does not know. */
  private async describe(grant: GrantEntity): Promise<ShownApp> {
    // Without sums of its calls: they wait in the account's line, and the last use is the grant's here.
    const { id, ...connection } = await this.reader.describeOne(grant, new Map());
    const { userId: user, clientId: client, endsAt, createdAt, lastUsedAt, expiresAt } = grant;
    return {
      id,
      user,
      client,
      ...connection,
      permissions: { ...connection.permissions, ...Object.fromEntries(permissionsOf(grant)) },
      endsAt: toIsoTime(endsAt),
      createdAt: toIsoTime(createdAt),
      lastUsedAt: toIsoTime(lastUsedAt),
      expiresAt: toIsoTime(expiresAt),
    };
  }

  private async get(id: string) {
    const grant = await this.grants.findActive(id);
    if (!grant) throw unknownApp();
    return grant;
  }
}
