import { Inject, type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { AccountTurnsModule, SweeperModule, SweeperService } from '#libs/platform';
import {
  authorizationServerControllers,
  authorizationServerProviders,
} from './authorization-server/authorization-server.providers.js';
import { clientProviders } from './clients/clients.providers.js';
import { UntriedRegistrationsService } from './clients/registrations/untried-registrations.service.js';
import { ConnectedAppsController } from './grant/connected-apps.controller.js';
import { configureCors } from './cors.middleware.js';
import { AccessTokensService } from './token/access-tokens.service.js';
import { GrantAgesService } from './grant/grant.store.js';
import { TokenClientsService } from './token/token.service.js';
import { Arrivals, Redemptions, SqlTokenStore } from './token/token.store.js';
import { TokenReplayService } from './token/token-replay.service.js';
import { OAuthAdministrationModule } from './oauth-administration.module.js';
import {
  ConfigurableModuleClass,
  OAUTH_OPTIONS,
  type OAuthOptions,
} from './oauth.module-definition.js';
import { clientSweeps, grantSweeps } from './oauth-sweeps.js';
import { mcpControllers, mcpProviders } from './mcp/mcp.providers.js';
import { expectScopeTexts } from './scope.js';
import { AccountSlots } from './protected-resource/account-slots.js';
import {
  protectedResourceControllers,
  protectedResourceProviders,
} from './protected-resource/protected-resource.providers.js';

@Module({
  imports: [AccountTurnsModule, DiscoveryModule, OAuthAdministrationModule, SweeperModule],
  controllers: [
    ...protectedResourceControllers,
    ...mcpControllers,
    ConnectedAppsController,
    ...authorizationServerControllers,
  ],
  providers: [
    AccessTokensService,
    GrantAgesService,
    TokenClientsService,
    Arrivals,
    Redemptions,
    TokenReplayService,
    SqlTokenStore,
    ...clientProviders,
    ...authorizationServerProviders,
    ...protectedResourceProviders,
    ...mcpProviders,
  ],
  // BearerGuard needs these in every module that uses it.
  exports: [AccessTokensService, AccountSlots, OAUTH_OPTIONS],
})
export class OAuthModule extends ConfigurableModuleClass implements NestModule {
  constructor(
    @Inject(OAUTH_OPTIONS) private readonly options: OAuthOptions,
    sweeper: SweeperService,
    untried: UntriedRegistrationsService,
  ) {
    super();
    expectScopeTexts(options.scopes);
    sweeper.add(...clientSweeps, ...grantSweeps, () => untried.sweep().then(() => 0));
  }

  configure(consumer: MiddlewareConsumer) {
    configureCors(consumer, this.options.registration);
  }
}
