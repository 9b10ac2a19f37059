import {
  Inject,
  Logger,
  type MiddlewareConsumer,
  Module,
  type NestModule,
  type OnModuleInit,
} from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { AccountTurnsModule, SweeperModule, SweeperService } from '#libs/platform';
import { RegistrationRoomService } from './authorization-server/registration-room.service.js';
import { RegistrationController } from './authorization-server/registration.controller.js';
import { RegistrationsService } from './authorization-server/registrations.service.js';
import {
  AuthorizationPages,
  AuthorizationPagesService,
  BuiltInAuthorizationPages,
} from './authorize/authorization-pages.js';
import { AuthorizationRequestsService } from './authorize/authorization-requests.service.js';
import { AuthorizeController } from './authorize/authorize.controller.js';
import { clientProviders } from './clients/clients.providers.js';
import { UntriedRegistrationsService } from './clients/registrations/untried-registrations.service.js';
import { ConsentService } from './consent/consent.service.js';
import { ConsentStore } from './consent/consent.store.js';
import { configureCors } from './cors.middleware.js';
import { ConnectedAppsController } from './grant/connected-apps.controller.js';
import { GrantStore } from './grant/grant.store.js';
import { mcpControllers, mcpProviders } from './mcp/mcp.providers.js';
import { MetadataController } from './metadata/metadata.controller.js';
import { OAuthAdministrationModule } from './oauth-administration.module.js';
import { UnknownPathController } from './oauth-endpoints.js';
import { clientSweeps, grantSweeps } from './oauth-sweeps.js';
import {
  ConfigurableModuleClass,
  OAUTH_OPTIONS,
  type OAuthOptions,
} from './oauth.module-definition.js';
import { AccountSlots } from './protected-resource/account-slots.js';
import { protectedResourceProviders } from './protected-resource/bearer.guard.js';
import { AdapterFactoryService } from './provider/provider-storage.js';
import { ProvidersService } from './provider/providers.service.js';
import { expectScopeTexts } from './scope.js';
import { AccessTokensService } from './token/access-tokens.service.js';
import { ReuseDetectionService } from './token/reuse-detection.service.js';
import { TokenController } from './token/token.controller.js';
import { TokensService } from './token/token.service.js';

@Module({
  imports: [AccountTurnsModule, DiscoveryModule, OAuthAdministrationModule, SweeperModule],
  // In the order in which their routes are matched.
  controllers: [
    MetadataController,
    ...mcpControllers,
    ConnectedAppsController,
    AuthorizeController,
    TokenController,
    RegistrationController,
    UnknownPathController,
  ],
  providers: [
    AdapterFactoryService,
    { provide: AuthorizationPages, useFactory: () => new BuiltInAuthorizationPages() },
    AuthorizationPagesService,
    AuthorizationRequestsService,
    ConsentService,
    ConsentStore,
    ProvidersService,
    RegistrationRoomService,
    RegistrationsService,
    ReuseDetectionService,
    TokensService,
    ...clientProviders,
    ...protectedResourceProviders,
    ...mcpProviders,
  ],
  // BearerGuard needs these in every module that uses it.
  exports: [AccessTokensService, AccountSlots, OAuthAdministrationModule, OAUTH_OPTIONS],
})
export class OAuthModule extends ConfigurableModuleClass implements NestModule, OnModuleInit {
  private readonly logger = new Logger(OAuthModule.name);

  constructor(
    @Inject(OAUTH_OPTIONS) private readonly options: OAuthOptions,
    private readonly grants: GrantStore,
    sweeper: SweeperService,
    untried: UntriedRegistrationsService,
  ) {
    super();
    expectScopeTexts(options.scopes);
    sweeper.add(...clientSweeps, ...grantSweeps, () => untried.sweep().then(() => 0));
  }

  /** Applies the greatest age to existing grants, in case it was set or lowered; every refresh enforces it too. */
  async onModuleInit() {
    const { grantMaxAgeMs } = this.options;
    if (grantMaxAgeMs === undefined) return;
    const shortened = await this.grants.limitAge(grantMaxAgeMs);
    if (shortened > 0) this.logger.log(`${shortened} grants end earlier than they would have`);
  }

  configure(consumer: MiddlewareConsumer) {
    configureCors(consumer, this.options.registration);
  }
}
