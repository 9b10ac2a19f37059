import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { getStorageToken } from '@nestjs/throttler';
import { TypeOrmModule } from '@nestjs/typeorm';
import {
  AccountTurnsModule,
  expiredRows,
  InProcessRateLimiter,
  type Sweep,
  SweeperModule,
  SweeperService,
} from '#libs/platform';
import { ACCOUNTS_OPTIONS, ConfigurableModuleClass } from './accounts.module-definition.js';
import { ExternalAccountsService } from './external-identity/external-account.service.js';
import { ExternalIdentities } from './external-identity/external-identities.service.js';
import { ExternalIdentityEntity } from './external-identity/external-identity.entity.js';
import { ExternalIdentityStore } from './external-identity/external-identity.store.js';
import { ExternalSignIn } from './external-identity/external-sign-in.js';
import { RecoveryCodeEntity } from './recovery/recovery-code.entity.js';
import { RecoveryCodesService } from './recovery/recovery-code.service.js';
import { RecoveryCodeStore } from './recovery/recovery-code.store.js';
import { RecoveryCodesController, RecoveryController } from './recovery/recovery.controller.js';
import { ActivityController } from './account/activity.controller.js';
import { OwnAccountService } from './account/own-account.service.js';
import { SecurityEventsService } from './security-event/security-event.service.js';
import { FreshnessService } from './session/freshness.service.js';
import { ReturnAddressService } from './session/return-address.service.js';
import { AccountController, SessionsController } from './session/session.controller.js';
import { SessionEntity } from './session/session.entity.js';
import { ChangeLimitService } from './session/session.guard.js';
import { BrowserSessionsService } from './session/session.service.js';
import { SessionStore } from './session/session.store.js';
import { AccountPolicy, ConfiguredAccountPolicy } from './sign-up/account-policy.js';
import { InviteEntity } from './sign-up/invite.entity.js';
import { InviteStore } from './sign-up/invite.store.js';
import { SignUpService } from './sign-up/sign-up.service.js';
import { UserController } from './account/user.controller.js';
import { UserEntity } from './user/user.entity.js';
import { UserDeletionService, UserDirectoryService } from './account/user.service.js';
import { UserStore } from './user/user.store.js';
import { VISITS } from './visitor-limit/visitor.guard.js';
import { CurrentVisitorMiddleware } from './visitor-limit/visitor.middleware.js';
import { VisitorStorage } from './visitor-limit/visitor.storage.js';

function accountsSweeps(sessions: SessionStore): Sweep[] {
  let isTrimmed = false;
  return [
    expiredRows(SessionEntity, 'tokenHash'),
    expiredRows(RecoveryCodeEntity, 'codeHash'),
    expiredRows(InviteEntity, 'id'),
    async () => {
      if (!isTrimmed) await sessions.trimToLimit();
      isTrimmed = true;
      return 0;
    },
  ];
}

const services = [
  ExternalIdentityStore,
  FreshnessService,
  SessionStore,
  InviteStore,
  RecoveryCodesService,
  RecoveryCodeStore,
  SecurityEventsService,
  UserDeletionService,
  UserDirectoryService,
  UserStore,
];

/** Users, sessions and invites for administrators; has no routes, so a process beside the service can use it too. */
@Module({
  imports: [
    TypeOrmModule.forFeature([
      UserEntity,
      SessionEntity,
      InviteEntity,
      RecoveryCodeEntity,
      ExternalIdentityEntity,
    ]),
  ],
  providers: services,
  exports: services,
})
export class AccountsAdministrationModule {}

/**
 * Users, their browser sessions, `me` and `logout`, recovery, who may sign up, the visitor limit and security
 * events. It runs without the rest of the service; the application around it has to
 *
 * - bring a TypeORM data source at its root, with `autoLoadEntities` and `accountsMigrations`
 *   (`createDataSource` and `migrate` of `#libs/platform`), and `databaseMigrations` to use ExternalSignIn;
 * - use `ownOriginMiddleware` before anything else;
 * - import `visitorLimit(accounts)`, which VisitorGuard needs;
 * - name the pages that other sites link to, by `forRoot({ linkedPages })`;
 * - bind BudgetReader and ActivityReader by `forRoot({ providers })`;
 * - answer RefusalError in an exception filter, with its status and headers.
 */
@Module({
  imports: [AccountsAdministrationModule, AccountTurnsModule, SweeperModule],
  controllers: [
    AccountController,
    UserController,
    SessionsController,
    ActivityController,
    RecoveryCodesController,
    RecoveryController,
  ],
  providers: [
    BrowserSessionsService,
    ChangeLimitService,
    SignUpService,
    ExternalAccountsService,
    ExternalIdentities,
    ExternalSignIn,
    OwnAccountService,
    ReturnAddressService,
    { provide: AccountPolicy, useClass: ConfiguredAccountPolicy },
    {
      provide: getStorageToken(),
      useFactory: () => new VisitorStorage(new InProcessRateLimiter()),
    },
    { provide: VISITS, useExisting: getStorageToken() },
  ],
  exports: [
    AccountsAdministrationModule,
    BrowserSessionsService,
    ChangeLimitService,
    AccountPolicy,
    SignUpService,
    ExternalAccountsService,
    ExternalIdentities,
    ExternalSignIn,
    OwnAccountService,
    ReturnAddressService,
    ACCOUNTS_OPTIONS,
    VISITS,
  ],
})
export class AccountsModule extends ConfigurableModuleClass implements NestModule {
  constructor(sweeper: SweeperService, sessions: SessionStore) {
    super();
    sweeper.add(...accountsSweeps(sessions));
  }

  configure(consumer: MiddlewareConsumer) {
    consumer.apply(CurrentVisitorMiddleware).forRoutes('{*path}');
  }
}
