import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsIn,
  IsObject,
  IsString,
  Length,
  NotContains,
} from 'class-validator';
import {
  CLIENT_AUTH_CHOICES,
  MACHINE_AUTH_CHOICES,
  type NewClient,
  type NewMachineClient,
} from '#libs/oauth';
import { ClientsAdministrationService } from './clients.service.js';
import { Operation } from './http/admin-document.js';
import { Actor } from './http/admin-token.guard.js';
import {
  BoundedText,
  NULLABLE_TEXT,
  Optional,
  PageOf,
  PageQuery,
  TIME,
} from './operation/page.dto.js';

class ClientRequest {
  @BoundedText(200) name!: string;

  @ApiProperty({ type: [String], minItems: 1, maxItems: 20 })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(20)
  @Length(1, 2048, { each: true })
  @NotContains('\0', { each: true, message: '$property takes no NUL' })
  @IsString({ each: true, message: '$property takes a list of texts' })
  redirectUris!: string[];

  @ApiProperty({ enum: [...CLIENT_AUTH_CHOICES], required: false, default: 'none' })
  @IsIn(CLIENT_AUTH_CHOICES)
  auth: NewClient['auth'] = 'none';
}

class MachineClientRequest {
  @BoundedText(200) name!: string;

  @ApiProperty({ type: [String], minItems: 1, maxItems: 100 })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(100)
  @Length(1, 100, { each: true })
  scopes!: string[];

  @Optional()
  @BoundedText(512)
  @ApiProperty({ description: 'As it is listed; /svc/mcp by default' })
  resource?: string;

  @Optional()
  @ApiProperty({
    enum: [...MACHINE_AUTH_CHOICES],
    description: 'private_key_jwt by default where there are keys, else client_secret_basic',
  })
  @IsIn(MACHINE_AUTH_CHOICES)
  auth?: NewMachineClient['auth'];

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

class ClientsPage extends PageOf(ListedClient) {}

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

class RedirectHostsPage extends PageOf(ListedRedirectHost) {}

class BlockedRedirectHost {
  @ApiProperty() redirectHost!: string;
  @ApiProperty() blocked!: boolean;
}

@Controller('admin')
export class ClientsController {
  constructor(private readonly clients: ClientsAdministrationService) {}

  @Get('clients')
  @Operation('OAuth clients, newest first', ClientsPage)
  listClients(@Query() asked: PageQuery): Promise<ClientsPage> {
    return this.clients.list(asked);
  }

  @Post('clients')
  @Operation(
    'Makes a client, which stays until it is deleted; its secret is told this once',
    MadeClient,
    { status: 201 },
  )
  createClient(@Body() client: ClientRequest, @Actor() actor: string): Promise<MadeClient> {
    return this.clients.create(client, actor);
  }

  @Post('machine-clients')
  @Operation('Makes a client that acts for itself; its secret is told this once', MadeClient, {
    status: 201,
    refusals: { 404: 'the service has no machine clients' },
  })
  createMachineClient(
    @Body() client: MachineClientRequest,
    @Actor() actor: string,
  ): Promise<MadeClient> {
    return this.clients.createMachine(client, actor);
  }

  @Get('clients/:id')
  @Operation('One client, with how many times it is connected', ShownClient)
  showClient(@Param('id') id: string): Promise<ShownClient> {
    return this.clients.show(id);
  }

  @Delete('clients/:id')
  @Operation('Removes a client and ends its grants', DeletedClient)
  deleteClient(@Param('id') id: string, @Actor() actor: string): Promise<DeletedClient> {
    return this.clients.remove(id, actor);
  }

  @Post('clients/:id/rotate-secret')
  @Operation('Gives a client another secret, which is told this once', IssuedSecret, {
    refusals: { 409: 'the client has no secret' },
  })
  rotateClientSecret(@Param('id') id: string, @Actor() actor: string): Promise<IssuedSecret> {
    return this.clients.rotateSecret(id, actor);
  }

  @Post('clients/:id/block')
  @Operation('Keeps a client out', BlockedClient)
  blockClient(@Param('id') client: string, @Actor() actor: string) {
    return this.clients.block({ client }, actor);
  }

  @Post('clients/:id/unblock')
  @Operation('Lets a client in again, with the apps it had', BlockedClient)
  unblockClient(@Param('id') client: string, @Actor() actor: string) {
    return this.clients.unblock({ client }, actor);
  }

  @Get('redirect-hosts')
  @Operation('Redirect hosts that are blocked, the last one first', RedirectHostsPage)
  listRedirectHosts(@Query() asked: PageQuery): Promise<RedirectHostsPage> {
    return this.clients.listBlockedHosts(asked);
  }

  @Post('redirect-hosts/:host/block')
  @Operation('Keeps out every client that sends the browser back to this host', BlockedRedirectHost)
  blockRedirectHost(@Param('host') redirectHost: string, @Actor() actor: string) {
    return this.clients.block({ redirectHost }, actor);
  }

  @Post('redirect-hosts/:host/unblock')
  @Operation('Lets them in again, with the apps they had', BlockedRedirectHost)
  unblockRedirectHost(@Param('host') redirectHost: string, @Actor() actor: string) {
    return this.clients.unblock({ redirectHost }, actor);
  }
}
