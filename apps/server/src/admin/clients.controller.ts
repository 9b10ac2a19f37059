import { Body, Controller, Delete, Get, Inject, Param, Post, Query } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsObject,
  IsString,
  Length,
  NotContains,
} from 'class-validator';
import {
  isLoopbackHostname,
  RefusalError,
  SecurityEventsService,
  type SecurityEventType,
} from '#libs/accounts';
import { BudgetService } from '#libs/budget';
import {
  CLIENT_AUTH_CHOICES,
  ClientBlockStore,
  ClientCredentialsService,
  type ClientRecord,
  ClientStore,
  isDocumentUrl,
  isPossibleDocumentUrl,
  type IssuedClient,
  MACHINE_AUTH_CHOICES,
  machineAccountOf,
  normalRedirectHost,
  redirectHostsOf,
  type NewClient,
  type NewMachineClient,
} from '#libs/oauth';
import {
  ADMINISTRATION_OPTIONS,
  type AdministrationOptions,
  type MachineResource,
} from './administration.module-definition.js';
import {
  CommandOption,
  NULLABLE_TEXT,
  OneOf,
  Optional,
  OptionalText,
  PageOf,
  PageQuery,
  Text,
  TIME,
} from './operation/input.js';
import { Actor, Operation } from './operation/operation.js';
import { mapPage, toIsoTime } from './operation/values.js';
import { isJsonObject, parseJson } from '#libs/platform';
import { readShortFile } from '../config/variables.js';

function readKeySet(path: string) {
  const found = readShortFile(path);
  if (found.fault !== undefined) throw new RefusalError(400, `--jwks ${found.fault}`);
  const keys = parseJson(found.content);
  if (isJsonObject(keys)) return keys;
  throw new RefusalError(400, '--jwks names a file without a JSON object');
}

const AUTH = 'how it authenticates; none by default, a machine by its secret or its keys';

class NamedClient {
  @Text(200, '--name <name>', 'what people see') name!: string;
}

export class ClientRequest extends NamedClient {
  @CommandOption('--redirect-uri <uris...>', 'where it may be redirected to')
  @ApiProperty({ type: [String], minItems: 1, maxItems: 20 })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(20)
  @Length(1, 2048, { each: true })
  @NotContains('\0', { each: true, message: '$property takes no NUL' })
  @IsString({ each: true, message: '$property takes a list of texts' })
  redirectUris!: string[];

  @CommandOption('--auth <method>', AUTH, { choices: CLIENT_AUTH_CHOICES })
  @OneOf(CLIENT_AUTH_CHOICES, { required: false, default: 'none' })
  auth: NewClient['auth'] = 'none';
}

export class MachineClientRequest extends NamedClient {
  @CommandOption('--scope <scopes...>', 'of a machine: the only scopes that its tokens may have')
  @ApiProperty({ type: [String], minItems: 1, maxItems: 100 })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(100)
  @Length(1, 100, { each: true })
  scopes!: string[];

  @OptionalText(512, '--resource <resource>', 'of a machine: as it is listed; /svc/mcp by default')
  @ApiProperty({ description: 'As it is listed; /svc/mcp by default' })
  resource?: string;

  @CommandOption('--auth <method>', AUTH, { choices: MACHINE_AUTH_CHOICES })
  @Optional()
  @OneOf(MACHINE_AUTH_CHOICES, {
    description: 'private_key_jwt by default where there are keys, else client_secret_basic',
  })
  auth?: NewMachineClient['auth'];

  @CommandOption('--jwks <file>', 'of a machine: a JSON file with its public keys', {
    parse: readKeySet,
  })
  @Optional()
  @ApiProperty({ type: Object, description: 'A JWK set of public keys, for private_key_jwt' })
  @IsObject()
  jwks?: object;
}

class IssuedSecret {
  @ApiProperty() id!: string;
  @ApiProperty(NULLABLE_TEXT) secret!: string | null;
}

class MadeClient extends IssuedSecret {
  @ApiProperty({ description: 'As id' }) clientId!: string;
  @ApiProperty({ required: false, description: 'As secret, unless that is null' })
  clientSecret?: string;
}

class ListedClient {
  @ApiProperty() id!: string;
  @ApiProperty(NULLABLE_TEXT) name!: string | null;
  @ApiProperty({ enum: ['registered', 'machine', 'published'] }) kind!: string;
  @ApiProperty({ type: [String], required: false, description: 'Of a machine client' })
  scopes?: readonly string[];
  @ApiProperty({ required: false, description: 'Of a machine client that is not for /svc/mcp' })
  resource?: string;
  @ApiProperty({ type: [String] }) redirectUris!: readonly string[];
  @ApiProperty(NULLABLE_TEXT) auth!: string | null;
  @ApiProperty(TIME) createdAt!: string;
  @ApiProperty(TIME) lastUsedAt!: string;
  @ApiProperty() blocked!: boolean;
  @ApiProperty({ type: [String] }) blockedHosts!: readonly string[];
}

class ClientsPage extends PageOf(ListedClient, [
  'id',
  'name',
  'kind',
  'auth',
  'createdAt',
  'lastUsedAt',
  'blocked',
  'blockedHosts',
]) {}

class ShownClient extends ListedClient {
  @ApiProperty({ type: 'integer' }) apps!: number;
}

class DeletedClient {
  @ApiProperty() id!: string;
  @ApiProperty({ type: 'integer' }) endedApps!: number;
}

class BlockedClient {
  @ApiProperty() client!: string;
  @ApiProperty() blocked!: boolean;
}

class ListedRedirectHost {
  @ApiProperty() redirectHost!: string;
  @ApiProperty(TIME) blockedAt!: string;
}

class RedirectHostsPage extends PageOf(ListedRedirectHost, ['redirectHost', 'blockedAt']) {}

class BlockedRedirectHost {
  @ApiProperty() redirectHost!: string;
  @ApiProperty() blocked!: boolean;
}

const secretIs = (secret: string) => `Secret, shown this once: ${secret}`;

const issued = ({ id, secret }: IssuedSecret) =>
  `Client id: ${id}. ${secret === null ? 'It is a public client and has no secret.' : secretIs(secret)}`;

@Controller('admin')
export class ClientsController {
  constructor(
    private readonly clients: ClientStore,
    private readonly credentials: ClientCredentialsService,
    private readonly blocks: ClientBlockStore,
    private readonly events: SecurityEventsService,
    private readonly budgets: BudgetService,
    @Inject(ADMINISTRATION_OPTIONS) private readonly options: AdministrationOptions,
  ) {}

  @Get('clients')
  @Operation('OAuth clients, newest first', ClientsPage, { command: 'clients list' })
  async listClients(@Query() query: PageQuery) {
    const page = await this.clients.list(query);
    const hosts = await this.blocks.allHosts();
    return mapPage(page, (client) => toClient(client, hosts));
  }

  @Get('clients/:id')
  @Operation('One client, with how many times it is connected', ShownClient, {
    command: 'clients show <id>',
  })
  async showClient(@Param('id') id: string) {
    const client = await this.clients.get(id);
    const apps = await this.clients.countGrants(id);
    return { ...toClient(client, await this.blocks.allHosts()), apps };
  }

  @Post('clients')
  @Operation(
    'Makes a client, which stays until it is deleted; its secret is told this once',
    MadeClient,
    { status: 201, command: 'clients create', says: issued },
  )
  async createClient(@Body() client: ClientRequest, @Actor() actor: string) {
    const made = await this.credentials.create(client);
    this.emit('client-created', made.id, actor);
    return withOAuthNames(made);
  }

  @Post('machine-clients')
  @Operation('Makes a client that acts for itself; its secret is told this once', MadeClient, {
    status: 201,
    refusals: { 404: 'the service has no machine clients' },
    command: 'clients create --machine',
    says: ({ id, secret }) =>
      `Client id: ${id}. ${secret === null ? 'It uses its keys.' : secretIs(secret)}`,
  })
  async createMachineClient(@Body() client: MachineClientRequest, @Actor() actor: string) {
    const { machineResources: offered } = this.options;
    if (!offered) throw new RefusalError(404, 'machine clients are off; set MACHINE_CLIENTS=on');
    const found = offered.find(
      ({ resource }) =>
        resource === client.resource || (!resource && this.isEndpoint(client.resource)),
    );
    if (!found) throw new RefusalError(400, unknownResource(offered));
    if (client.scopes.some((scope) => !found.scopes.includes(scope))) {
      throw new RefusalError(400, `a scope is not one of: ${found.scopes.join(', ')}`);
    }
    const { auth = client.jwks === undefined ? 'client_secret_basic' : 'private_key_jwt' } = client;
    const scopes = [...new Set(client.scopes)];
    const made = await this.credentials.createMachine({ ...client, scopes, auth });
    this.emit('client-created', made.id, actor);
    return withOAuthNames(made);
  }

  /** A client with a published document may be blocked before it first connects. */
  @Post('clients/:id/block')
  @Operation('Keeps a client out', BlockedClient, {
    command: 'clients block <id>',
    asks: (_controller, client: string) => `Keep client ${client} out?`,
    says: ({ client }) => `Blocked: client ${client}.`,
  })
  async blockClient(@Param('id') client: string, @Actor() actor: string) {
    if (!isDocumentUrl(client)) await this.clients.get(client);
    else if (!isPossibleDocumentUrl(client)) {
      const message =
        'no client can have this id: a published one is the https URL of its document, just as it sends it';
      throw new RefusalError(400, message);
    }
    await this.blocks.add('client', client);
    this.emit('client-blocked', client, actor);
    return { client, blocked: true };
  }

  @Post('redirect-hosts/:host/block')
  @Operation(
    'Keeps out every client that sends the browser back to this host',
    BlockedRedirectHost,
    {
      command: 'clients block --redirect-host <host>',
      asks: (_controller, host: string) => `Keep clients that redirect to ${host} out?`,
      says: ({ redirectHost }) => `Blocked: clients that redirect to ${redirectHost}.`,
    },
  )
  async blockRedirectHost(@Param('host') redirectHost: string, @Actor() actor: string) {
    const host = hostOf(redirectHost);
    await this.blocks.add('redirect-host', host);
    this.emitOfHost('redirect-host-blocked', host, actor);
    return { redirectHost, blocked: true };
  }

  @Get('redirect-hosts')
  @Operation('Redirect hosts that are blocked, the last one first', RedirectHostsPage, {
    command: 'clients blocked-hosts',
  })
  async listRedirectHosts(@Query() query: PageQuery) {
    return mapPage(await this.blocks.listHosts(query), ({ redirectHost, blockedAt }) => ({
      redirectHost,
      blockedAt: toIsoTime(blockedAt),
    }));
  }

  @Post('clients/:id/unblock')
  @Operation('Lets a client in again, with the apps it had', BlockedClient, {
    command: 'clients unblock <id>',
    says: ({ client }) => `Not blocked any more: client ${client}.`,
  })
  async unblockClient(@Param('id') client: string, @Actor() actor: string) {
    if (!(await this.blocks.remove('client', client))) throw notBlocked();
    this.emit('client-unblocked', client, actor);
    return { client, blocked: false };
  }

  @Post('redirect-hosts/:host/unblock')
  @Operation('Lets them in again, with the apps they had', BlockedRedirectHost, {
    command: 'clients unblock --redirect-host <host>',
    says: ({ redirectHost }) => `Not blocked any more: clients that redirect to ${redirectHost}.`,
  })
  async unblockRedirectHost(@Param('host') redirectHost: string, @Actor() actor: string) {
    const host = hostOf(redirectHost);
    if (!(await this.blocks.remove('redirect-host', host))) throw notBlocked();
    this.emitOfHost('redirect-host-unblocked', host, actor);
    return { redirectHost, blocked: false };
  }

  /** A client with a published document may connect again. */
  @Delete('clients/:id')
  @Operation('Removes a client and ends its grants', DeletedClient, {
    command: 'clients delete <id>',
    asks: async (controller: ClientsController, id: string) =>
      `Delete ${await controller.nameOf(id)}?`,
    says: ({ endedApps }) => `Deleted: ${endedApps} apps ended.`,
  })
  async deleteClient(@Param('id') id: string, @Actor() actor: string) {
    const { kind } = await this.clients.get(id);
    const endedApps = await this.clients.remove(id, async (manager) => {
      if (kind === 'machine') await this.budgets.forget(machineAccountOf(id), manager);
    });
    this.emit('client-deleted', id, actor);
    return { id, endedApps };
  }

  @Post('clients/:id/rotate-secret')
  @Operation('Gives a client another secret, which is told this once', IssuedSecret, {
    refusals: { 409: 'the client has no secret' },
    command: 'clients rotate-secret <id>',
    asks: async (controller: ClientsController, id: string) =>
      `Make the secret of ${await controller.nameOf(id)} worthless?`,
    says: issued,
  })
  async rotateClientSecret(@Param('id') id: string, @Actor() actor: string) {
    const made = await this.credentials.rotateSecret(id);
    this.emit('client-secret-rotated', id, actor);
    return made;
  }

  private async nameOf(id: string) {
    const { name, apps } = await this.showClient(id);
    return `${name ?? 'a nameless client'} (${id}, connected ${apps} times)`;
  }

  private isEndpoint(resource: string | undefined): boolean {
    const { publicOrigins } = this.options;
    const { origin, protocol, hostname } = URL.parse(resource ?? '') ?? {};
    if (origin === undefined || resource !== `${origin}/svc/mcp`) return false;
    return (
      publicOrigins?.includes(origin) ??
      (protocol === 'http:' && isLoopbackHostname(hostname ?? ''))
    );
  }

  private emit(type: SecurityEventType, clientId: string, actor: string) {
    this.events.emit({ type, userId: null, clientId, origin: '', actor });
  }

  private emitOfHost(type: SecurityEventType, host: string, actor: string) {
    this.events.emit({ type, userId: null, origin: '', actor, detail: host, facts: { host } });
  }
}

const notBlocked = () => new RefusalError(404, 'this is not blocked');

const withOAuthNames = ({ id, secret }: IssuedClient) => ({
  id,
  secret,
  clientId: id,
  ...(secret === null ? {} : { clientSecret: secret }),
});

function unknownResource(offered: readonly MachineResource[]) {
  const listed = offered.flatMap(({ resource }) => resource ?? []);
  const others =
    listed.length === 0 ? 'RESOURCES_FILE lists no others' : `others are ${listed.join(', ')}`;
  return `leave the resource out for /svc/mcp; ${others} that machine clients may have`;
}

const toClient = (
  { createdAt, lastUsedAt, blocked, ...client }: ClientRecord,
  hosts: ReadonlySet<string>,
) => ({
  ...client,
  createdAt: toIsoTime(createdAt),
  lastUsedAt: toIsoTime(lastUsedAt),
  blocked,
  blockedHosts: redirectHostsOf(client.redirectUris).filter((host) => hosts.has(host)),
});

function hostOf(text: string): string {
  const host = normalRedirectHost(text);
  if (host === undefined)
    throw new RefusalError(400, 'a redirect host is a host name or IP address');
  return host;
}
