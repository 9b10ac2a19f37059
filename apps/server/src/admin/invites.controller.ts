import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsInt } from 'class-validator';
import {
  type InviteRecord,
  InviteStore,
  MAX_INVITE_USES,
  SecurityEventsService,
} from '#libs/accounts';
import { CommandOption, digits, OptionalTime, PageOf, PageQuery, TIME } from './operation/input.js';
import { Actor, ForRole, Operation } from './operation/operation.js';
import { mapPage, toIsoTime } from './operation/values.js';

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
  @OptionalTime('from-now', '--expires <time>', 'when it ends, 7d by default') expires?: number;
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

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

@Controller('admin/invites')
export class InvitesController {
  constructor(
    private readonly invites: InviteStore,
    private readonly events: SecurityEventsService,
  ) {}

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
  async createInvite(@Body() { uses, expires }: InviteRequest, @Actor() actor: string) {
    const invite = { uses, expiresAt: expires ?? Date.now() + WEEK_MS, createdBy: actor };
    const { id, code, expiresAt } = await this.invites.create(invite);
    this.emit('invite-created', id, actor);
    return { id, code, uses, expiresAt: toIsoTime(expiresAt) };
  }

  @Get()
  @Operation('Invitation codes that have not expired, newest first', InvitesPage, {
    command: 'invites list',
  })
  async listInvites(@Query() query: PageQuery) {
    return mapPage(await this.invites.list(query), toInvite);
  }

  @Delete(':id')
  @ForRole('support')
  @Operation('Makes a code worthless; its accounts stay', DeletedInvite, {
    command: 'invites delete <id>',
    asks: async ({ invites }: InvitesController, id: string) => {
      const { uses, usesLeft } = await invites.get(id);
      return `Delete invite ${id}, with ${usesLeft} of ${uses} uses left?`;
    },
    says: ({ id }) => `Deleted: invite ${id}.`,
  })
  async deleteInvite(@Param('id') id: string, @Actor() actor: string) {
    await this.invites.remove(id);
    this.emit('invite-deleted', id, actor);
    return { id };
  }

  private emit(type: 'invite-created' | 'invite-deleted', id: string, actor: string) {
    const about = { detail: `invite ${id}`, facts: { invite: id } };
    this.events.emit({ type, userId: null, origin: '', actor, ...about });
  }
}

const toInvite = ({ id, uses, usesLeft, createdAt, createdBy, expiresAt }: InviteRecord) => ({
  id,
  uses,
  usesLeft,
  createdAt: toIsoTime(createdAt),
  createdBy,
  expiresAt: toIsoTime(expiresAt),
});
