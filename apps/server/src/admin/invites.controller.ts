import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsInt } from 'class-validator';
import { MAX_INVITE_USES } from '#libs/accounts';
import { InvitesAdministrationService } from './invites.service.js';
import {
  CommandOption,
  digits,
  Optional,
  PageOf,
  PageQuery,
  Time,
  TIME,
} from './operation/input.js';
import { Actor, ForRole, Operation } from './operation/operation.js';

class InviteRequest {
  @CommandOption('--uses <accounts>', 'how many accounts it is for (default: 1)', { parse: digits })
  @ApiProperty({
    type: 'integer',
    minimum: 1,
    maximum: MAX_INVITE_USES,
    required: false,
    default: 1,
  })
  @IsInt({ message: '$property takes a whole number of accounts' })
  uses: number = 1;

  /** Epoch milliseconds. */
  @CommandOption('--expires <time>', 'when it ends, 7d by default')
  @Optional()
  @Time('from-now')
  expires?: number;
}

class ListedInvite {
  @ApiProperty() id!: string;
  @ApiProperty({ type: 'integer' }) uses!: number;
  @ApiProperty({ type: 'integer' }) usesLeft!: number;
  @ApiProperty(TIME) createdAt!: string;
  @ApiProperty() createdBy!: string;
  @ApiProperty(TIME) expiresAt!: string;
}

class InvitesPage extends PageOf(ListedInvite, [
  'id',
  'usesLeft',
  'uses',
  'createdAt',
  'createdBy',
  'expiresAt',
]) {}

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

  @Post()
  @ForRole('support')
  @Operation(
    'Makes a code that lets people create accounts, which is told this once',
    IssuedInvite,
    {
      status: 201,
      command: 'invites create',
      says: ({ id, code, uses, expiresAt }) => {
        const accounts = uses === 1 ? '1 account' : `${uses} accounts`;
        return `Invite ${id}: ${accounts} until ${expiresAt}. Code, shown this once: ${code}`;
      },
    },
  )
  createInvite(@Body() invite: InviteRequest, @Actor() actor: string) {
    return this.invites.create(invite, actor);
  }

  @Get()
  @Operation('Invitation codes that have not expired, newest first', InvitesPage, {
    command: 'invites list',
  })
  listInvites(@Query() query: PageQuery) {
    return this.invites.list(query);
  }

  @Delete(':id')
  @ForRole('support')
  @Operation('Makes a code worthless; its accounts stay', DeletedInvite, {
    command: 'invites delete <id>',
    asks: async ({ invites }: InvitesController, id: string) => {
      const { uses, usesLeft } = await invites.show(id);
      return `Delete invite ${id}, with ${usesLeft} of ${uses} uses left?`;
    },
    says: ({ id }) => `Deleted: invite ${id}.`,
  })
  deleteInvite(@Param('id') id: string, @Actor() actor: string) {
    return this.invites.remove(id, actor);
  }
}
