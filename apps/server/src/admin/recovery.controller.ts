import { Body, Controller, Delete, Inject, Param, Post } from '@nestjs/common';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import {
  RecoveryCodesService,
  RefusalError,
  SecurityEventsService,
  UserDirectoryService,
} from '#libs/accounts';
import { isPublicOrigin } from '../config/variable-rules.js';
import {
  ADMINISTRATION_OPTIONS,
  type AdministrationOptions,
} from './administration.module-definition.js';
import { CommandOption, Optional, TakenBy } from './operation/input.js';
import { Actor, ForRole, Operation } from './operation/operation.js';

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

class RecoveryLink {
  @ApiProperty() user!: string;
  @ApiProperty() link!: string;
}

class RevokedRecovery {
  @ApiProperty() user!: string;
  @ApiProperty() revoked!: boolean;
}

/** Recovery links for people who have neither a passkey nor a recovery code. */
@ApiTags('Users')
@Controller('admin/users/:id/recover')
export class RecoveryController {
  constructor(
    @Inject(ADMINISTRATION_OPTIONS) private readonly options: AdministrationOptions,
    private readonly users: UserDirectoryService,
    private readonly codes: RecoveryCodesService,
    private readonly events: SecurityEventsService,
  ) {}

  /** The link replaces an older one, and works on its origin alone, unless that is only guessed from the port. */
  @Post()
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
  async recoverUser(
    @Param('id') id: string,
    @Body() { origin }: RecoveryRequest,
    @Actor() actor: string,
  ) {
    const { port, publicOrigins } = this.options;
    const only = origin ?? publicOrigins?.[0];
    if (origin !== undefined && publicOrigins?.includes(origin) === false) {
      const allowed = publicOrigins.join(', ');
      throw new RefusalError(400, `origin takes one of PUBLIC_ORIGINS: ${allowed}`);
    }
    const code = await this.codes.createLinkCode(id, only ?? null);
    if (code === undefined) {
      await this.users.get(id);
      throw new RefusalError(409, 'this account is disabled; enable it first');
    }
    this.events.emit({ type: 'recovery-link-created', userId: id, origin: '', actor });
    const at = only ?? `http://localhost:${port}`;
    return { user: id, link: `${at}/svc/account/recover#${code}` };
  }

  @Delete()
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
  async revokeRecovery(@Param('id') id: string, @Actor() actor: string) {
    await this.users.get(id);
    const revoked = await this.codes.revokeLink(id);
    if (revoked) this.events.emit({ type: 'recovery-link-revoked', userId: id, origin: '', actor });
    return { user: id, revoked };
  }
}
