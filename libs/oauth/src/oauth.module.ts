import { Inject, type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { AccountTurnsModule, SweeperModule, SweeperService } from '#libs/platform';
import {
  authorizationServerControllers,
  authorizationServerProviders,
} from './authorization-server/authorization-server.providers.js';
import { clientProviders } from './clients/clients.providers.js';
import { UntriedRegistrationsService } from './clients/registrations/untried-registrations.service.js';
import { ConnectedAppsController } from './connected-apps/connected-apps.controller.js';
import { configureCors } from './cors/cors-routes.middleware.js';
import { AccessTokensService } from './grants/access-tokens.service.js';
import { GrantAgesService } from './grants/grant-ages.service.js';
import { TokenClientsService } from './authorization-server/token-clients.service.js';
import { Arrivals } from './grants/arrivals.sql.js';
import { Redemptions } from './grants/redemptions.sql.js';
import { TokenReplayService } from './grants/token-replay.service.js';
import { SqlTokenStore } from './grants/token-store.sql.js';
import { OAuthAdministrationModule } from './oauth-administration.module.js';
import {
  ConfigurableModuleClass,
  OAUTH_OPTIONS,
  type OAuthOptions,
} from './oauth.module-definition.js';
import { clientSweeps, grantSweeps } from './oauth-sweeps.js';
import { expectScopeTexts } from './scopes/scope.js';
import { AccountSlots } from './protected-resource/account-slots.js';
import {
  protectedResourceControllers,
  protectedResourceProviders,
} from './protected-resource/protected-resource.providers.js';

@Module({
  imports: [AccountTurnsModule, DiscoveryModule, OAuthAdministrationModule, SweeperModule],
  controllers: [
    ...protectedResourceControllers,
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
