import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { BlocksAdministrationService } from '../blocks-administration.service.js';
import { ClientsAdministrationService } from '../clients-administration.service.js';
import { Actor } from './admin-token.guard.js';
import {
  BlockedClient,
  BlockedRedirectHost,
  ClientRequest,
  ClientsPage,
  DeletedClient,
  IssuedSecret,
  RedirectHostsPage,
  ShownClient,
} from './dto/clients.dto.js';
import { PageQuery } from './dto/page.dto.js';
import { Operation } from './operation.decorator.js';

@Controller('admin')
export class ClientsController {
  constructor(
    private readonly clients: ClientsAdministrationService,
    private readonly blocks: BlocksAdministrationService,
  ) {}

  @Get('clients')
  @Operation('OAuth clients, newest first', ClientsPage)
  listClients(@Query() asked: PageQuery): Promise<ClientsPage> {
    return this.clients.list(asked);
  }

  @Post('clients')
  @Operation(
    'Makes a client, which stays until it is deleted; its secret is told this once',
    IssuedSecret,
    { status: 201 },
  )
  createClient(@Body() client: ClientRequest, @Actor() actor: string): Promise<IssuedSecret> {
    return this.clients.create(client, actor);
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
    return this.blocks.block({ client }, actor);
  }

  @Post('clients/:id/unblock')
  @Operation('Lets a client in again, with the apps it had', BlockedClient)
  unblockClient(@Param('id') client: string, @Actor() actor: string) {
    return this.blocks.unblock({ client }, actor);
  }

  @Get('redirect-hosts')
  @Operation('Redirect hosts that are blocked, the last one first', RedirectHostsPage)
  listRedirectHosts(@Query() asked: PageQuery): Promise<RedirectHostsPage> {
    return this.blocks.listHosts(asked);
  }

  @Post('redirect-hosts/:host/block')
  @Operation('Keeps out every client that sends the browser back to this host', BlockedRedirectHost)
  blockRedirectHost(@Param('host') redirectHost: string, @Actor() actor: string) {
    return this.blocks.block({ redirectHost }, actor);
  }

  @Post('redirect-hosts/:host/unblock')
  @Operation('Lets them in again, with the apps they had', BlockedRedirectHost)
  unblockRedirectHost(@Param('host') redirectHost: string, @Actor() actor: string) {
    return this.blocks.unblock({ redirectHost }, actor);
  }
}
