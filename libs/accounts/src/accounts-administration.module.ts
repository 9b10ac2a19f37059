import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountSwitchService } from './account-switch.service.js';
import { UserDeletionService } from './deletion/user-deletion.service.js';
import { SecurityEventsService } from './events/security-events.service.js';
import { RecoveryCodeEntity } from './recovery/recovery-code.entity.js';
import { RecoveryLinksService } from './recovery/recovery-links.service.js';
import { InviteDirectoryService } from './sign-up/invite-directory.service.js';
import { InviteEntity } from './sign-up/invite.entity.js';
import { AccountSessionsService } from './sessions/account-sessions.service.js';
import { SessionEntity } from './sessions/session.entity.js';
import { UserDirectoryService } from './users/user-directory.service.js';
import { UserEntity } from './users/user.entity.js';
import { UsersService } from './users/users.service.js';

const services = [
  AccountSessionsService,
  AccountSwitchService,
  InviteDirectoryService,
  RecoveryLinksService,
  SecurityEventsService,
  UserDeletionService,
  UserDirectoryService,
  UsersService,
];

/** Users, sessions and invites for administrators; has no routes, so a process beside the service can use it too. */
@Module({
  imports: [
    TypeOrmModule.forFeature([UserEntity, SessionEntity, InviteEntity, RecoveryCodeEntity]),
  ],
  providers: services,
  exports: services,
})
export class AccountsAdministrationModule {}
