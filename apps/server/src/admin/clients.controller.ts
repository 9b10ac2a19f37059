import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
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
import { RefusalError } from '#libs/accounts';
import {
  CLIENT_AUTH_CHOICES,
  MACHINE_AUTH_CHOICES,
  type NewClient,
  type NewMachineClient,
} from '#libs/oauth';
import { ClientsAdministrationService } from './clients.service.js';
import {
  BoundedText,
  CommandOption,
  NULLABLE_TEXT,
  OneOf,
  Optional,
  PageOf,
  PageQuery,
  TIME,
} from './operation/input.js';
import { Actor, Operation } from './operation/operation.js';
import { isJsonObject, parseJson } from '#libs/platform';
import { readShortFile } from '../config/variables.js';

/** Reads a JSON file with public keys; the error contains neither its path nor its content. */
function readKeySet(path: string) {
  const found = readShortFile(path);
  if (found.fault !== undefined) throw new RefusalError(400, `--jwks ${found.fault}`);
  const keys = parseJson(found.content);
  if (isJsonObject(keys)) return keys;
  throw new RefusalError(400, '--jwks names a file without a JSON object');
}

const AUTH = 'how it authenticates; none by default, a machine by its secret or its keys';

class NamedClient {
  @CommandOption('--name <name>', 'what people see') @BoundedText(200) name!: string;
}

class ClientRequest extends NamedClient {
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

class MachineClientRequest extends NamedClient {
  @CommandOption('--scope <scopes...>', 'of a machine: the only scopes that its tokens may have')
  @ApiProperty({ type: [String], minItems: 1, maxItems: 100 })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(100)
  @Length(1, 100, { each: true })
  scopes!: string[];

  @CommandOption('--resource <resource>', 'of a machine: as it is listed; /svc/mcp by default')
  @Optional()
  @BoundedText(512)
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

async function nameOf(clients: ClientsAdministrationService, id: string) {
  const { name, apps } = await clients.show(id);
  return `${name ?? 'a nameless client'} (${id}, connected ${apps} times)`;
}

@Controller('admin')
export class ClientsController {
  constructor(private readonly clients: ClientsAdministrationService) {}

  @Get('clients')
  @Operation('OAuth clients, newest first', ClientsPage, { command: 'clients list' })
  listClients(@Query() query: PageQuery) {
    return this.clients.list(query);
  }

  @Get('clients/:id')
  @Operation('One client, with how many times it is connected', ShownClient, {
    command: 'clients show <id>',
  })
  showClient(@Param('id') id: string) {
    return this.clients.show(id);
  }

  @Post('clients')
  @Operation(
    'Makes a client, which stays until it is deleted; its secret is told this once',
    MadeClient,
    { status: 201, command: 'clients create', says: issued },
  )
  createClient(@Body() client: ClientRequest, @Actor() actor: string) {
    return this.clients.create(client, actor);
  }

  @Post('machine-clients')
  @Operation('Makes a client that acts for itself; its secret is told this once', MadeClient, {
    status: 201,
    refusals: { 404: 'the service has no machine clients' },
    command: 'clients create --machine',
    says: ({ id, secret }) =>
      `Client id: ${id}. ${secret === null ? 'It uses its keys.' : secretIs(secret)}`,
  })
  createMachineClient(@Body() client: MachineClientRequest, @Actor() actor: string) {
    return this.clients.createMachine(client, actor);
  }

  @Post('clients/:id/block')
  @Operation('Keeps a client out', BlockedClient, {
    command: 'clients block <id>',
    asks: (_controller, client: string) => `Keep client ${client} out?`,
    says: ({ client }) => `Blocked: client ${client}.`,
  })
  blockClient(@Param('id') client: string, @Actor() actor: string) {
    return this.clients.block({ client }, actor);
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
  blockRedirectHost(@Param('host') redirectHost: string, @Actor() actor: string) {
    return this.clients.block({ redirectHost }, actor);
  }

  @Get('redirect-hosts')
  @Operation('Redirect hosts that are blocked, the last one first', RedirectHostsPage, {
    command: 'clients blocked-hosts',
  })
  listRedirectHosts(@Query() query: PageQuery) {
    return this.clients.listBlockedHosts(query);
  }

  @Post('clients/:id/unblock')
  @Operation('Lets a client in again, with the apps it had', BlockedClient, {
    command: 'clients unblock <id>',
    says: ({ client }) => `Not blocked any more: client ${client}.`,
  })
  unblockClient(@Param('id') client: string, @Actor() actor: string) {
    return this.clients.unblock({ client }, actor);
  }

  @Post('redirect-hosts/:host/unblock')
  @Operation('Lets them in again, with the apps they had', BlockedRedirectHost, {
    command: 'clients unblock --redirect-host <host>',
    says: ({ redirectHost }) => `Not blocked any more: clients that redirect to ${redirectHost}.`,
  })
  unblockRedirectHost(@Param('host') redirectHost: string, @Actor() actor: string) {
    return this.clients.unblock({ redirectHost }, actor);
  }

  @Delete('clients/:id')
  @Operation('Removes a client and ends its grants', DeletedClient, {
    command: 'clients delete <id>',
    asks: async ({ clients }: ClientsController, id: string) =>
      `Delete ${await nameOf(clients, id)}?`,
    says: ({ endedApps }) => `Deleted: ${endedApps} apps ended.`,
  })
  deleteClient(@Param('id') id: string, @Actor() actor: string) {
    return this.clients.remove(id, actor);
  }

  @Post('clients/:id/rotate-secret')
  @Operation('Gives a client another secret, which is told this once', IssuedSecret, {
    refusals: { 409: 'the client has no secret' },
    command: 'clients rotate-secret <id>',
    asks: async ({ clients }: ClientsController, id: string) =>
      `Make the secret of ${await nameOf(clients, id)} worthless?`,
    says: issued,
  })
  rotateClientSecret(@Param('id') id: string, @Actor() actor: string) {
    return this.clients.rotateSecret(id, actor);
  }
}
