import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { getStorageToken } from '@nestjs/throttler';
import { InProcessRateLimiter, SweeperModule, SweeperService } from '#libs/platform';
import { AccountsAdministrationModule } from './accounts-administration.module.js';
import { AccountController, SessionsController } from './session/session.controller.js';
import { accountsSweeps } from './accounts-sweeps.js';
import { ACCOUNTS_OPTIONS, ConfigurableModuleClass } from './accounts.module-definition.js';
import { RecoveryCodesController, RecoveryController } from './recovery/recovery.controller.js';
import { RecoveryCodesService } from './recovery/recovery-code.service.js';
import { RecoveryService } from './recovery/recovery.service.js';
import { AccountSessionsService } from './session/session.store.js';
import { BrowserSessionsService } from './session/browser-sessions.service.js';
import { SessionsService } from './session/session.service.js';
import { AccountPolicy, ConfiguredAccountPolicy } from './sign-up/account-policy.js';
import { InvitesService } from './sign-up/invite.service.js';
import { SignUpService } from './sign-up/sign-up.service.js';
import { ChangeLimitService } from './visitor-limit/change-limit.service.js';
import { CurrentVisitorMiddleware } from './visitor-limit/visitor.middleware.js';
import { VISITS } from './visitor-limit/visitor.guard.js';
import { ActivityController } from './security-event/activity.controller.js';
import { ProfileController } from './user/user.controller.js';
import { VisitorStorage } from './visitor-limit/visitor.storage.js';

/**
 * Users, their browser sessions, `me` and `logout`, recovery, who may sign up, the visitor limit and security
 * events. It runs without the rest of the service; the application around it has to
 *
 * - bring a TypeORM data source at its root, with `autoLoadEntities` and `accountsMigrations`
 *   (`createDataSource` and `migrate` of `#libs/platform`);
 * - use `ownOriginMiddleware` before anything else;
 * - import `visitorLimit(accounts)`, which VisitorGuard needs;
 * - bind BudgetReader and ActivityReader by `forRoot({ providers })`;
 * - answer RefusalError in an exception filter, with its status and headers.
 */
@Module({
  imports: [AccountsAdministrationModule, SweeperModule],
  controllers: [
    AccountController,
    ProfileController,
    SessionsController,
    ActivityController,
    RecoveryCodesController,
    RecoveryController,
  ],
  providers: [
    SessionsService,
    BrowserSessionsService,
    ChangeLimitService,
    RecoveryCodesService,
    RecoveryService,
    InvitesService,
    SignUpService,
    { provide: AccountPolicy, useClass: ConfiguredAccountPolicy },
    {
      provide: getStorageToken(),
      useFactory: () => new VisitorStorage(new InProcessRateLimiter()),
    },
    { provide: VISITS, useExisting: getStorageToken() },
  ],
  exports: [
    AccountsAdministrationModule,
    SessionsService,
    BrowserSessionsService,
    ChangeLimitService,
    AccountPolicy,
    SignUpService,
    ACCOUNTS_OPTIONS,
    VISITS,
  ],
})
export class AccountsModule extends ConfigurableModuleClass implements NestModule {
  constructor(sweeper: SweeperService, sessions: AccountSessionsService) {
    super();
    sweeper.add(...accountsSweeps(sessions));
  }

  configure(consumer: MiddlewareConsumer) {
    consumer.apply(CurrentVisitorMiddleware).forRoutes('{*path}');
  }
}
