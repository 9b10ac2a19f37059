import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { isPublicOrigin } from '../config/variable-rules.js';
import { Operation } from './http/admin-document.js';
import { Actor, ForRole } from './http/admin-token.guard.js';
import {
  BoundedText,
  NULLABLE_TIME,
  Optional,
  PageOf,
  PageQuery,
  TakenBy,
  TIME,
} from './operation/page.dto.js';
import { RecoveryAdministrationService } from './recovery.service.js';
import { UsersAdministrationService } from './users.service.js';

class UsersQuery extends PageQuery {
  @Optional() @BoundedText(200) search?: string;
}

class RecoveryRequest {
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

class UsersPage extends PageOf(ListedUser) {}

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
  @BoundedText(255) issuer!: string;
  @BoundedText(255) subject!: string;
}

class ListedIdentity {
  @ApiProperty() issuer!: string;
  @ApiProperty() subject!: string;
  @ApiProperty(TIME) createdAt!: string;
}

class IdentitiesPage extends PageOf(ListedIdentity) {}

class LinkedIdentity {
  @ApiProperty() user!: string;
  @ApiProperty() issuer!: string;
  @ApiProperty() subject!: string;
  @ApiProperty() linked!: boolean;
}

@Controller('admin/users')
export class UsersController {
  constructor(
    private readonly users: UsersAdministrationService,
    private readonly recovery: RecoveryAdministrationService,
  ) {}

  @Get()
  @Operation('Accounts, newest first; by a part of the display name, or by the id', UsersPage)
  listUsers(@Query() asked: UsersQuery): Promise<UsersPage> {
    return this.users.list(asked);
  }

  @Get(':id')
  @Operation('One account, with its sessions', ShownUser)
  showUser(@Param('id') id: string): Promise<ShownUser> {
    return this.users.show(id);
  }

  @Delete(':id')
  @Operation('Deletes an account and all that belongs to it', DeletedUser)
  deleteUser(@Param('id') id: string, @Actor() actor: string): Promise<DeletedUser> {
    return this.users.remove(id, actor);
  }

  @Post(':id/disable')
  @ForRole('support')
  @Operation('Signs an account out, and refuses it and its apps', ShownUser)
  disableUser(@Param('id') id: string, @Actor() actor: string): Promise<ShownUser> {
    return this.users.disable(id, actor);
  }

  @Post(':id/enable')
  @ForRole('support')
  @Operation('Gives an account its passkeys and apps back', ShownUser)
  enableUser(@Param('id') id: string, @Actor() actor: string): Promise<ShownUser> {
    return this.users.enable(id, actor);
  }

  @Post(':id/sign-out')
  @ForRole('support')
  @Operation('Ends all sessions of an account', SignedOutUser)
  signOutUser(@Param('id') id: string, @Actor() actor: string): Promise<SignedOutUser> {
    return this.users.signOut(id, actor);
  }

  @Post(':id/recover')
  @ForRole('support')
  @Operation(
    'Makes a link that lets a person in once, within 24 hours; it is told this once',
    RecoveryLink,
    { refusals: { 409: 'the account is disabled' } },
  )
  recoverUser(
    @Param('id') id: string,
    @Body() { origin }: RecoveryRequest,
    @Actor() actor: string,
  ): Promise<RecoveryLink> {
    return this.recovery.createLink(id, origin, actor);
  }

  @Delete(':id/recover')
  @ForRole('support')
  @Operation(
    'Ends the link that was made for an account; tells whether there was one',
    RevokedRecovery,
  )
  revokeRecovery(@Param('id') id: string, @Actor() actor: string): Promise<RevokedRecovery> {
    return this.recovery.revokeLink(id, actor);
  }

  @Get(':id/identities')
  @Operation('Identities at other issuers that are linked to an account', IdentitiesPage)
  listIdentities(@Param('id') id: string): Promise<IdentitiesPage> {
    return this.users.listIdentities(id);
  }

  @Post(':id/link')
  @Operation('Links an identity at another issuer to an account', LinkedIdentity, {
    refusals: { 409: 'the identity is linked already' },
  })
  linkUser(
    @Param('id') id: string,
    @Body() { issuer, subject }: Identity,
    @Actor() actor: string,
  ): Promise<LinkedIdentity> {
    return this.users.link(id, { issuer, subject }, actor);
  }

  @Post(':id/unlink')
  @Operation('Takes such an identity from an account, which keeps its apps', LinkedIdentity)
  unlinkUser(
    @Param('id') id: string,
    @Body() { issuer, subject }: Identity,
    @Actor() actor: string,
  ): Promise<LinkedIdentity> {
    return this.users.unlink(id, { issuer, subject }, actor);
  }
}
