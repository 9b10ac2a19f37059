import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SecurityEventsService } from './events/security-events.service.js';
import { AccountSwitchService } from './sessions/account-switch.service.js';
import { InviteDirectoryService } from './sign-up/invite-directory.service.js';
import { InviteEntity } from './sign-up/invite.entity.js';
import { AccountSessionsService } from './sessions/account-sessions.service.js';
import { SessionEntity } from './sessions/session.entity.js';
import { UserDirectoryService } from './users/user-directory.service.js';
import { UserEntity } from './users/user.entity.js';

const services = [
  AccountSwitchService,
  SecurityEventsService,
  AccountSessionsService,
  InviteDirectoryService,
  UserDirectoryService,
];

/** Users, sessions and invites for whoever runs the service; without routes it runs beside the service too. */
@Module({
  imports: [TypeOrmModule.forFeature([UserEntity, SessionEntity, InviteEntity])],
  providers: services,
  exports: services,
})
export class AccountsAdministrationModule {}
