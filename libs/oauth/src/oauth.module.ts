import { type DynamicModule, Inject, Logger, Module, type OnModuleInit } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { AccountsAdministrationModule, UserDeletionService } from '#libs/accounts';
import {
  AccountTurnsModule,
  InProcessRateLimiter,
  SweeperModule,
  SweeperService,
} from '#libs/platform';
import { AccessDecisionsService } from './access-policy/access-decision.service.js';
import {
  AuthorizationPages,
  AuthorizationPagesService,
  BuiltInAuthorizationPages,
} from './authorize/authorization-pages.js';
import { AuthorizationRequestsService } from './authorize/authorization-requests.service.js';
import { AuthorizeController } from './authorize/authorize.controller.js';
import {
  ClientDocumentCache,
  InProcessClientDocumentCache,
} from './client-document/client-document-cache.js';
import { DocumentFetch } from './client-document/document-fetch.js';
import {
  ApprovalOptionsController,
  ApprovalPageController,
  ApprovalsController,
} from './approval/approval.controller.js';
import { ApprovalEntity } from './approval/approval.entity.js';
import { ApprovalService } from './approval/approval.service.js';
import { ApprovalSignals, InProcessApprovalSignals } from './approval/approval-signals.js';
import { ApprovalStore } from './approval/approval.store.js';
import { AssertionEntity, AssertionStore, expiredAssertions } from './client/assertion.store.js';
import { ClientBlockEntity, ClientBlockStore } from './client/client-block.store.js';
import { ClientCredentialsService } from './client/client-credentials.service.js';
import { ClientPolicy, OpenClientPolicy } from './client/client-policy.js';
import { ClientsService } from './client-document/clients.service.js';
import {
  ClientStore,
  expiredRegistrations,
  RegisteredClientEntity,
} from './client/client.store.js';
import { ApprovalMeter } from './approval/approval-meter.js';
import { ConsentService } from './authorize/consent.service.js';
import { ConsentEntity, ConsentStore, expiredConsents } from './consent/consent.store.js';
import { ConnectionCalls } from './connection/connection-calls.js';
import {
  ConnectedAppsController,
  ConnectionCallsController,
  ConnectionsController,
  ManagedAppsController,
} from './connection/connection.controller.js';
import { ConnectionPageController } from './connection/connection-page.controller.js';
import { ConnectionReaderService } from './connection/connection-reader.service.js';
import { ConnectionsService } from './connection/connection.service.js';
import { ConnectionUsage } from './connection/connection-usage.js';
import { ConnectionStore } from './grant/connection.store.js';
import { GrantEntity } from './grant/grant.entity.js';
import { expiredGrants, GrantStore } from './grant/grant.store.js';
import { IntrospectionController } from './introspection/introspection.controller.js';
import { hasIntrospection } from './introspection/resource-server.guard.js';
import { IssuerKeysService } from './managed-access/issuer-keys.service.js';
import { ManagedAccessService } from './managed-access/managed-access.service.js';
import { ManagedGrantStore } from './managed-access/managed-grant.store.js';
import { expiredMachineTokens, MachineTokenEntity } from './machine/machine-token.store.js';
import { MetadataController, ResourceMetadataController } from './metadata/metadata.controller.js';
import { UnknownPathController } from './oauth-endpoints.js';
import {
  ConfigurableModuleClass,
  OAUTH_OPTIONS,
  type OAuthOptions,
} from './oauth.module-definition.js';
import { OwnPagesService } from './own-page/own-pages.service.js';
import {
  BearerErrorFilter,
  protectedResourceProviders,
} from './protected-resource/bearer.guard.js';
import { AdapterFactoryService } from './provider/provider-storage.js';
import { ProvidersService } from './provider/providers.service.js';
import {
  CountedRegistrationBudget,
  RegistrationBudget,
} from './registration/registration-budget.js';
import { RegistrationController } from './registration/registration.controller.js';
import { RegistrationsService } from './registration/registration.service.js';
import { RegistrationStore } from './registration/registration.store.js';
import { ResourcesService } from './resource/resource.js';
import { expectScopeTexts } from './scope.js';
import { JwksController } from './signing/jwks.controller.js';
import { SigningKeysService } from './signing/signing-keys.service.js';
import { BearerTokensService } from './token/bearer-tokens.service.js';
import { ReuseDetectionService } from './token/reuse-detection.service.js';
import { TokenClientsService } from './token-endpoint/token-clients.service.js';
import { TokenController } from './token-endpoint/token.controller.js';
import { TokenService } from './token-endpoint/token.service.js';
import { TokenEntity } from './token/token.entity.js';
import { expiredTokens } from './token/token.store.js';

const entities = [
  ApprovalEntity,
  ClientBlockEntity,
  GrantEntity,
  TokenEntity,
  ConsentEntity,
  RegisteredClientEntity,
  AssertionEntity,
  MachineTokenEntity,
];

const services = [
  ApprovalStore,
  ClientBlockStore,
  ClientCredentialsService,
  ClientStore,
  ConnectionStore,
  ConsentStore,
  GrantStore,
];

/** Clients and grants for administrators; has no routes, so the CLI can run it beside the service. */
@Module({
  imports: [AccountsAdministrationModule, TypeOrmModule.forFeature(entities)],
  providers: services,
  exports: services,
})
export class OAuthAdministrationModule {
  /** Unanswered consents and grants end with their account, client or app, where no foreign key deletes them. */
  constructor(
    deletions: UserDeletionService,
    clients: ClientStore,
    grants: GrantStore,
    consents: ConsentStore,
  ) {
    deletions.before((manager, userId) => consents.forget(manager, { userId }));
    grants.beforeDisconnection((manager, whose) => consents.forget(manager, whose));
    clients.beforeRemoval(async (manager, clientId) => {
      await consents.forget(manager, { clientId });
      return grants.revokeOfClient(manager, clientId);
    });
  }
}

const clientProviders = [
  AssertionStore,
  ClientsService,
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
  // Routes are matched in this order, then in that of `forRoot`.
  controllers: [
    TokenController,
    MetadataController,
    ConnectedAppsController,
    ApprovalOptionsController,
    ApprovalsController,
    ConnectionCallsController,
    ConnectionsController,
    AuthorizeController,
  ],
  providers: [
    AccessDecisionsService,
    AdapterFactoryService,
    ApprovalMeter,
    ApprovalService,
    { provide: ApprovalSignals, useClass: InProcessApprovalSignals },
    { provide: AuthorizationPages, useClass: BuiltInAuthorizationPages },
    AuthorizationPagesService,
    AuthorizationRequestsService,
    ConnectionCalls,
    ConnectionReaderService,
    ConnectionsService,
    ConnectionUsage,
    ConsentService,
    IssuerKeysService,
    ManagedAccessService,
    ManagedGrantStore,
    ProvidersService,
    RegistrationsService,
    ReuseDetectionService,
    {
      provide: SigningKeysService,
      useFactory: (options: OAuthOptions) => new SigningKeysService(options),
      inject: [OAUTH_OPTIONS],
    },
    TokenClientsService,
    TokenService,
    ...clientProviders,
    ...protectedResourceProviders,
  ],
  // BearerGuard needs these in every module that uses it.
  exports: [
    ApprovalService,
    BearerErrorFilter,
    BearerTokensService,
    ConnectionReaderService,
    AccountTurnsModule,
    IssuerKeysService,
    OAuthAdministrationModule,
    OAUTH_OPTIONS,
    ResourcesService,
  ],
})
export class OAuthModule extends ConfigurableModuleClass implements OnModuleInit {
  private readonly logger = new Logger(OAuthModule.name);

  /** What a setting adds has no routes without it: their paths are free for a team's controllers, not `/svc/oauth/`. */
  static override forRoot(
    options: Parameters<typeof ConfigurableModuleClass.forRoot>[0],
  ): DynamicModule {
    const { resources = [], registration = true } = options;
    const { readSigningKeys, trustedIssuers, accountPage } = options;
    const controllers = [
      ...(registration ? [RegistrationController] : []),
      UnknownPathController,
      ...(resources.length > 0 ? [ResourceMetadataController] : []),
      ...(readSigningKeys ? [JwksController] : []),
      ...(hasIntrospection(resources) ? [IntrospectionController] : []),
      ...(trustedIssuers ? [ManagedAppsController] : []),
      ...(accountPage === undefined ? [] : [ConnectionPageController, ApprovalPageController]),
    ];
    const definition = super.forRoot(options);
    const pages = accountPage === undefined ? [] : [OwnPagesService];
    return { ...definition, controllers, providers: [...(definition.providers ?? []), ...pages] };
  }

  constructor(
    @Inject(OAUTH_OPTIONS) private readonly options: OAuthOptions,
    private readonly grants: GrantStore,
    sweeper: SweeperService,
    registrations: RegistrationStore,
    approvals: ApprovalStore,
    meter: ApprovalMeter,
  ) {
    super();
    approvals.countWith(meter);
    for (const { scopes } of [options, ...(options.resources ?? [])]) expectScopeTexts(scopes);
    sweeper.add(
      expiredRegistrations,
      expiredAssertions,
      expiredTokens,
      expiredMachineTokens,
      expiredGrants,
      expiredConsents,
      (_dataSource, limit) => approvals.sweep(limit),
      () => registrations.sweep().then(() => 0),
    );
  }

  /** Applies the greatest age to existing grants, in case it was set or lowered; every refresh enforces it too. */
  async onModuleInit() {
    const { grantMaxAgeMs } = this.options;
    if (grantMaxAgeMs === undefined) return;
    const shortened = await this.grants.limitAge(grantMaxAgeMs);
    if (shortened > 0) this.logger.log(`${shortened} grants end earlier than they would have`);
  }
}
