import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import {
  type ExternalIdentity,
  type ExternalIdentityEntity,
  ExternalIdentityStore,
  expectIdentity,
  RefusalError,
  type SecurityEvent,
  SecurityEventsService,
  SessionStore,
  unknownUser,
  UserDeletionService,
  UserDirectoryService,
  type UserEntity,
} from '#libs/accounts';
import { AccountExportService } from '../export/account-export.service.js';
import { NULLABLE_TIME, OptionalText, PageOf, PageQuery, Text, TIME } from './operation/input.js';
import { Actor, ForRole, Operation } from './operation/operation.js';
import { mapPage, toIsoTime } from './operation/values.js';

class UsersQuery extends PageQuery {
  @OptionalText(200, '--search <text>', 'with that in their display name, or with that id')
  search?: string;
}

class ListedUser {
  @ApiProperty() id!: string;
  @ApiProperty() displayName!: string;
  @ApiProperty(TIME) createdAt!: string;
  @ApiProperty(NULLABLE_TIME) disabledAt!: string | null;
}

class UsersPage extends PageOf(ListedUser, ['id', 'displayName', 'createdAt', 'disabledAt']) {}

class ShownUser extends ListedUser {
  @ApiProperty({ type: 'integer' }) sessions!: number;
  @ApiProperty(NULLABLE_TIME) lastSeenAt!: string | null;
}

class DeletedUser {
  @ApiProperty() id!: string;
  @ApiProperty() displayName!: string;
  @ApiProperty({ enum: [true] }) deleted!: boolean;
}

class SignedOutUser {
  @ApiProperty() id!: string;
  @ApiProperty({ type: 'integer' }) endedSessions!: number;
}

export class Identity {
  @Text(255, '--issuer <issuer>', 'as the issuer calls itself, mostly a URL') issuer!: string;

  @Text(255, '--subject <subject>', 'as the issuer identifies the person') subject!: string;
}

class ListedIdentity {
  @ApiProperty() issuer!: string;
  @ApiProperty() subject!: string;
  @ApiProperty(TIME) createdAt!: string;
}

class IdentitiesPage extends PageOf(ListedIdentity, ['issuer', 'subject', 'createdAt']) {}

class LinkedIdentity {
  @ApiProperty() user!: string;
  @ApiProperty() issuer!: string;
  @ApiProperty() subject!: string;
  @ApiProperty() linked!: boolean;
}

@Controller('admin/users')
export class UsersController {
  constructor(
    private readonly users: UserDirectoryService,
    private readonly sessions: SessionStore,
    private readonly deletions: UserDeletionService,
    private readonly identities: ExternalIdentityStore,
    private readonly events: SecurityEventsService,
    private readonly exports: AccountExportService,
  ) {}

  @Get()
  @Operation('Accounts, newest first; by a part of the display name, or by the id', UsersPage, {
    command: 'users list',
  })
  async listUsers(@Query() query: UsersQuery) {
    return mapPage(await this.users.list(query), toUser);
  }

  @Get(':id')
  @Operation('One account, with its sessions', ShownUser, { command: 'users show <id>' })
  async showUser(@Param('id') id: string) {
    const user = await this.users.get(id);
    const { count, lastSeenAt } = await this.sessions.summaryOf(id);
    return { ...toUser(user), sessions: count, lastSeenAt: toIsoTime(lastSeenAt) };
  }

  @Get(':id/export')
  @ForRole('admin')
  @Operation('Everything kept about an account, as its owner can export it', Object, {
    command: 'users export <id>',
  })
  async exportUser(@Param('id') id: string) {
    return this.exports.open(id);
  }

  @Post(':id/disable')
  @ForRole('support')
  @Operation('Signs an account out, and refuses it and its apps', ShownUser, {
    command: 'users disable <id>',
    asks: async (controller: UsersController, id: string) =>
      `Disable ${await controller.nameOf(id)}?`,
    says: ({ displayName }) => `Disabled: ${displayName}.`,
  })
  async disableUser(@Param('id') id: string, @Actor() actor: string) {
    const endedSessions = await this.users.disable(id);
    this.events.emit({ type: 'user-disabled', userId: id, origin: '', actor, endedSessions });
    return this.showUser(id);
  }

  @Post(':id/enable')
  @ForRole('support')
  @Operation('Gives an account its passkeys and apps back', ShownUser, {
    command: 'users enable <id>',
    says: ({ displayName }) => `Enabled: ${displayName}.`,
  })
  async enableUser(@Param('id') id: string, @Actor() actor: string) {
    await this.users.enable(id);
    this.events.emit({ type: 'user-enabled', userId: id, origin: '', actor });
    return this.showUser(id);
  }

  @Post(':id/sign-out')
  @ForRole('support')
  @Operation('Ends all sessions of an account', SignedOutUser, {
    command: 'users sign-out <id>',
    asks: async (controller: UsersController, id: string) =>
      `Sign ${await controller.nameOf(id)} out everywhere?`,
    says: ({ endedSessions }) => `Signed out: ${endedSessions} sessions ended.`,
  })
  async signOutUser(@Param('id') id: string, @Actor() actor: string) {
    const user = await this.users.get(id);
    const endedSessions = await this.sessions.endAll(undefined, user);
    this.events.emit({ type: 'user-signed-out', userId: id, origin: '', actor, endedSessions });
    return { id, endedSessions: endedSessions.length };
  }

  @Get(':id/identities')
  @Operation('Identities at other issuers that are linked to an account', IdentitiesPage, {
    command: 'users identities <id>',
  })
  async listIdentities(@Param('id') id: string) {
    await this.users.get(id);
    return mapPage({ items: await this.identities.list(id), next: null }, toIdentity);
  }

  @Post(':id/link')
  @Operation('Links an identity at another issuer to an account', LinkedIdentity, {
    refusals: { 409: 'the identity is linked already' },
    command: 'users link <id>',
    says: ({ issuer, subject }) => `Linked: ${subject} at ${issuer}.`,
  })
  async linkUser(@Param('id') id: string, @Body() identity: Identity, @Actor() actor: string) {
    expectLinkable(identity);
    await this.users.whileThere(id, async (manager) => {
      if (await this.identities.link(manager, identity, id)) return;
      const message = 'this identity is linked already; unlink it from its account first';
      throw new RefusalError(409, message);
    });
    this.emitOf(identity, { type: 'identity-linked', userId: id, origin: '', actor });
    return { user: id, ...identity, linked: true };
  }

  @Post(':id/unlink')
  @Operation('Takes such an identity from an account, which keeps its apps', LinkedIdentity, {
    command: 'users unlink <id>',
    asks: async (controller: UsersController, id: string, { issuer, subject }: Identity) =>
      `Unlink ${subject} at ${issuer} from ${await controller.nameOf(id)}?`,
    says: ({ issuer, subject }) => `Unlinked: ${subject} at ${issuer}.`,
  })
  async unlinkUser(@Param('id') id: string, @Body() identity: Identity, @Actor() actor: string) {
    await this.users.get(id);
    expectLinkable(identity);
    if (!(await this.identities.unlink(identity, id))) {
      throw new RefusalError(404, 'this identity is not linked to the account');
    }
    this.emitOf(identity, { type: 'identity-unlinked', userId: id, origin: '', actor });
    return { user: id, ...identity, linked: false };
  }

  @Delete(':id')
  @Operation('Deletes an account and all that belongs to it', DeletedUser, {
    command: 'users delete <id>',
    asks: async (controller: UsersController, id: string) =>
      `Delete ${await controller.nameOf(id)} for ever?`,
    says: ({ displayName }) => `Deleted: ${displayName}.`,
  })
  async deleteUser(@Param('id') id: string, @Actor() actor: string) {
    const { displayName } = await this.users.get(id);
    const endedSessions = await this.deletions.delete({ id, displayName });
    if (!endedSessions) throw unknownUser();
    this.events.emit({ type: 'account-deleted', userId: id, origin: '', actor, endedSessions });
    return { id, displayName, deleted: true };
  }

  private async nameOf(id: string) {
    return `${(await this.users.get(id)).displayName} (${id})`;
  }

  /** An issuer that is no URL has no host. */
  private emitOf({ issuer }: Identity, event: SecurityEvent) {
    const host = URL.parse(issuer)?.hostname;
    this.events.emit({ ...event, ...(host ? { detail: host, facts: { host } } : {}) });
  }
}

const toUser = ({ id, displayName, createdAt, disabledAt }: UserEntity): ListedUser => ({
  id,
  displayName,
  createdAt: toIsoTime(createdAt),
  disabledAt: toIsoTime(disabledAt),
});

const toIdentity = ({ issuer, subject, createdAt }: ExternalIdentityEntity): ListedIdentity => ({
  issuer,
  subject,
  createdAt: toIsoTime(createdAt),
});

function expectLinkable(identity: ExternalIdentity) {
  try {
    expectIdentity(identity);
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error;
    const description = 'issuer and subject take 1 to 255 characters without control characters';
    throw new RefusalError(400, description);
  }
}
