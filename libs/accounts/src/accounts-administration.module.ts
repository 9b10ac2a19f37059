import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import {
  AccountSwitchService,
  UserDeletionService,
  UserDirectoryService,
} from './user/user.service.js';
import { SecurityEventsService } from './security-event/security-events.service.js';
import { RecoveryCodeEntity } from './recovery/recovery-code.entity.js';
import { RecoveryLinksService } from './recovery/recovery-code.service.js';
import { InviteDirectoryService } from './sign-up/invite.service.js';
import { InviteEntity } from './sign-up/invite.entity.js';
import { AccountSessionsService } from './session/session.store.js';
import { SessionEntity } from './session/session.entity.js';
import { UserEntity } from './user/user.entity.js';
import { UsersService } from './user/user.store.js';

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
