import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { InvitesAdministrationService } from '../invites-administration.service.js';
import { Actor, ForRole } from './admin-token.guard.js';
import { DeletedInvite, InviteRequest, InvitesPage, IssuedInvite } from './dto/invites.dto.js';
import { PageQuery } from './dto/page.dto.js';
import { Operation } from './operation.decorator.js';

@Controller('admin/invites')
export class InvitesController {
  constructor(private readonly invites: InvitesAdministrationService) {}

  @Get()
  @Operation('Invitation codes that have not expired, newest first', InvitesPage)
  listInvites(@Query() asked: PageQuery): Promise<InvitesPage> {
    return this.invites.list(asked);
  }

  @Post()
  @ForRole('support')
  @Operation(
    'Makes a code that lets people create accounts, which is told this once',
    IssuedInvite,
    { status: 201 },
  )
  createInvite(
    @Body() { uses, expires }: InviteRequest,
    @Actor() actor: string,
  ): Promise<IssuedInvite> {
    return this.invites.create({ uses, expiresAt: expires }, actor);
  }

  @Delete(':id')
  @ForRole('support')
  @Operation('Makes a code worthless; its accounts stay', DeletedInvite)
  deleteInvite(@Param('id') id: string, @Actor() actor: string): Promise<DeletedInvite> {
    return this.invites.remove(id, actor);
  }
}
