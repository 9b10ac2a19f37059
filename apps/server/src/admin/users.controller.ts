import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { isPublicOrigin } from '../config/variable-rules.js';
import {
  BoundedText,
  CommandOption,
  NULLABLE_TIME,
  Optional,
  PageOf,
  PageQuery,
  TakenBy,
  TIME,
} from './operation/input.js';
import { Actor, ForRole, Operation } from './operation/operation.js';
import { RecoveryAdministrationService } from './recovery.service.js';
import { UsersAdministrationService } from './users.service.js';

class UsersQuery extends PageQuery {
  @CommandOption('--search <text>', 'with that in their display name, or with that id')
  @Optional()
  @BoundedText(200)
  search?: string;
}

class RecoveryRequest {
  @CommandOption('--origin <origin>', 'where the link leads, such as https://gate.example')
  @Optional()
  @ApiProperty({ example: 'https://gate.example' })
  @TakenBy(
    (value) => typeof value === 'string' && isPublicOrigin(value),
    'an origin such as https://gate.example',
  )
  origin?: string;
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

class RecoveryLink {
  @ApiProperty() user!: string;
  @ApiProperty() link!: string;
}

class RevokedRecovery {
  @ApiProperty() user!: string;
  @ApiProperty() revoked!: boolean;
}

class Identity {
  @CommandOption('--issuer <issuer>', 'as the issuer calls itself, mostly a URL')
  @BoundedText(255)
  issuer!: string;

  @CommandOption('--subject <subject>', 'as the issuer identifies the person')
  @BoundedText(255)
  subject!: string;
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

async function nameOf(users: UsersAdministrationService, id: string) {
  const { displayName } = await users.show(id);
  return `${displayName} (${id})`;
}

@Controller('admin/users')
export class UsersController {
  constructor(
    private readonly users: UsersAdministrationService,
    private readonly recovery: RecoveryAdministrationService,
  ) {}

  @Get()
  @Operation('Accounts, newest first; by a part of the display name, or by the id', UsersPage, {
    command: 'users list',
  })
  listUsers(@Query() query: UsersQuery) {
    return this.users.list(query);
  }

  @Get(':id')
  @Operation('One account, with its sessions', ShownUser, { command: 'users show <id>' })
  showUser(@Param('id') id: string) {
    return this.users.show(id);
  }

  @Post(':id/disable')
  @ForRole('support')
  @Operation('Signs an account out, and refuses it and its apps', ShownUser, {
    command: 'users disable <id>',
    asks: async ({ users }: UsersController, id: string) => `Disable ${await nameOf(users, id)}?`,
    says: ({ displayName }) => `Disabled: ${displayName}.`,
  })
  disableUser(@Param('id') id: string, @Actor() actor: string) {
    return this.users.disable(id, actor);
  }

  @Post(':id/enable')
  @ForRole('support')
  @Operation('Gives an account its passkeys and apps back', ShownUser, {
    command: 'users enable <id>',
    says: ({ displayName }) => `Enabled: ${displayName}.`,
  })
  enableUser(@Param('id') id: string, @Actor() actor: string) {
    return this.users.enable(id, actor);
  }

  @Post(':id/sign-out')
  @ForRole('support')
  @Operation('Ends all sessions of an account', SignedOutUser, {
    command: 'users sign-out <id>',
    asks: async ({ users }: UsersController, id: string) =>
      `Sign ${await nameOf(users, id)} out everywhere?`,
    says: ({ endedSessions }) => `Signed out: ${endedSessions} sessions ended.`,
  })
  signOutUser(@Param('id') id: string, @Actor() actor: string) {
    return this.users.signOut(id, actor);
  }

  @Post(':id/recover')
  @ForRole('support')
  @Operation(
    'Makes a link that lets a person in once, within 24 hours; it is told this once',
    RecoveryLink,
    {
      refusals: { 409: 'the account is disabled' },
      command: 'users recover <id>',
      says: ({ link }) => link,
    },
  )
  recoverUser(
    @Param('id') id: string,
    @Body() { origin }: RecoveryRequest,
    @Actor() actor: string,
  ) {
    return this.recovery.createLink(id, origin, actor);
  }

  @Delete(':id/recover')
  @ForRole('support')
  @Operation(
    'Ends the link that was made for an account; tells whether there was one',
    RevokedRecovery,
    {
      command: 'users recover <id> --revoke',
      says: ({ user, revoked }) =>
        revoked
          ? `Revoked: the recovery link of ${user}.`
          : `There is no recovery link of ${user}.`,
    },
  )
  revokeRecovery(@Param('id') id: string, @Actor() actor: string) {
    return this.recovery.revokeLink(id, actor);
  }

  @Get(':id/identities')
  @Operation('Identities at other issuers that are linked to an account', IdentitiesPage, {
    command: 'users identities <id>',
  })
  listIdentities(@Param('id') id: string) {
    return this.users.listIdentities(id);
  }

  @Post(':id/link')
  @Operation('Links an identity at another issuer to an account', LinkedIdentity, {
    refusals: { 409: 'the identity is linked already' },
    command: 'users link <id>',
    says: ({ issuer, subject }) => `Linked: ${subject} at ${issuer}.`,
  })
  linkUser(@Param('id') id: string, @Body() identity: Identity, @Actor() actor: string) {
    return this.users.link(id, identity, actor);
  }

  @Post(':id/unlink')
  @Operation('Takes such an identity from an account, which keeps its apps', LinkedIdentity, {
    command: 'users unlink <id>',
    asks: async ({ users }: UsersController, id: string, { issuer, subject }: Identity) =>
      `Unlink ${subject} at ${issuer} from ${await nameOf(users, id)}?`,
    says: ({ issuer, subject }) => `Unlinked: ${subject} at ${issuer}.`,
  })
  unlinkUser(@Param('id') id: string, @Body() identity: Identity, @Actor() actor: string) {
    return this.users.unlink(id, identity, actor);
  }

  @Delete(':id')
  @Operation('Deletes an account and all that belongs to it', DeletedUser, {
    command: 'users delete <id>',
    asks: async ({ users }: UsersController, id: string) =>
      `Delete ${await nameOf(users, id)} for ever?`,
    says: ({ displayName }) => `Deleted: ${displayName}.`,
  })
  deleteUser(@Param('id') id: string, @Actor() actor: string) {
    return this.users.remove(id, actor);
  }
}
