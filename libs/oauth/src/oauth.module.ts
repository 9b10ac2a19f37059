import { Inject, type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { DataSource } from 'typeorm';
import {
  AccountTurnsModule,
  InProcessRateLimiter,
  SweeperModule,
  SweeperService,
} from '#libs/platform';
import {
  authorizationServerControllers,
  authorizationServerProviders,
} from './authorization-server/authorization-server.providers.js';
import { AssertionStore } from './client/assertion.store.js';
import { ClientPolicy, OpenClientPolicy } from './client/client-policy.js';
import { ClientsService } from './client/client.service.js';
import { ClientDocumentsService } from './client-document/client-document.service.js';
import {
  ClientDocumentCache,
  InProcessClientDocumentCache,
} from './client-document/client-document-cache.js';
import { DocumentFetch } from './client-document/document-fetch.js';
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
import { mcpControllers, mcpProviders } from './mcp/mcp.providers.js';
import {
  CountedRegistrationBudget,
  RegistrationBudget,
} from './registration/registration-budget.js';
import { RegistrationStore } from './registration/registration.store.js';
import { expectScopeTexts } from './scopes/scope.js';
import { AccountSlots } from './protected-resource/account-slots.js';
import {
  protectedResourceControllers,
  protectedResourceProviders,
} from './protected-resource/protected-resource.providers.js';

/** Clients, their documents and their registration. */
const clientProviders = [
  AssertionStore,
  ClientsService,
  ClientDocumentsService,
  { provide: ClientPolicy, useClass: OpenClientPolicy },
  { provide: ClientDocumentCache, useClass: InProcessClientDocumentCache },
  {
    provide: DocumentFetch,
    useFactory: ({ clientDocuments }: OAuthOptions) => new DocumentFetch(clientDocuments),
    inject: [OAUTH_OPTIONS],
  },
  {
    provide: RegistrationBudget,
    useFactory: () => new CountedRegistrationBudget(new InProcessRateLimiter()),
  },
  {
    provide: RegistrationStore,
    useFactory: (dataSource: DataSource) => new RegistrationStore(dataSource),
    inject: [DataSource],
  },
];

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
    registrations: RegistrationStore,
  ) {
    super();
    expectScopeTexts(options.scopes);
    sweeper.add(...clientSweeps, ...grantSweeps, () => registrations.sweep().then(() => 0));
  }

  configure(consumer: MiddlewareConsumer) {
    configureCors(consumer, this.options.registration);
  }
}
