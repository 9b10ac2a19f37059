import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';
import { MAX_INVITE_USES } from '#libs/accounts';
import { Operation } from './http/admin-document.js';
import { Actor, ForRole } from './http/admin-token.guard.js';
import { Optional, PageOf, PageQuery, Time, TIME } from './operation/page.dto.js';
import { InvitesAdministrationService } from './invites.service.js';

class InviteRequest {
  @ApiProperty({
    type: 'integer',
    minimum: 1,
    maximum: MAX_INVITE_USES,
    required: false,
    default: 1,
  })
  @IsInt()
  @Min(1)
  @Max(MAX_INVITE_USES)
  uses: number = 1;

  /** Epoch milliseconds. */
  @Optional() @Time('from-now') expires?: number;
}

class ListedInvite {
  @ApiProperty() id!: string;
  @ApiProperty({ type: 'integer' }) uses!: number;
  @ApiProperty({ type: 'integer' }) usesLeft!: number;
  @ApiProperty(TIME) createdAt!: string;
  @ApiProperty() createdBy!: string;
  @ApiProperty(TIME) expiresAt!: string;
}

class InvitesPage extends PageOf(ListedInvite) {}

class IssuedInvite {
  @ApiProperty() id!: string;
  @ApiProperty() code!: string;
  @ApiProperty({ type: 'integer' }) uses!: number;
  @ApiProperty(TIME) expiresAt!: string;
}

class DeletedInvite {
  @ApiProperty() id!: string;
}

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
  createInvite(@Body() asked: InviteRequest, @Actor() actor: string): Promise<IssuedInvite> {
    return this.invites.create(asked, actor);
  }

  @Delete(':id')
  @ForRole('support')
  @Operation('Makes a code worthless; its accounts stay', DeletedInvite)
  deleteInvite(@Param('id') id: string, @Actor() actor: string): Promise<DeletedInvite> {
    return this.invites.remove(id, actor);
  }
}
