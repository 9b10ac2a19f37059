import type { DynamicModule, Provider, Type } from '@nestjs/common';
import { AccountsModule, ActivityReader, BudgetReader } from '#libs/accounts';
import { BudgetMeter, BudgetModule, BudgetService, measureCharges } from '#libs/budget';
import {
  ApprovalMeter,
  ApprovalPasskeys,
  ConnectionCalls,
  ConnectionUsage,
  OAuthAdministrationModule,
  OAuthModule,
  type Resource,
} from '#libs/oauth';
import { AccountResources, AccountTools, CallScreening, McpModule } from '#libs/mcp';
import { ConfirmationsService, PasskeysModule } from '#libs/passkeys';
import { CodeRunnerModule, ScreeningModule, ScreeningService } from '#libs/code-runner';
import { OfferNotes, OpenRequests, TabHubModule } from '#libs/tab-hub';
import { AccountPageModule, checkedBrand } from '#libs/ui-templates';
import { AdministrationModule } from './admin/administration.module.js';
import {
  type BuiltIn,
  type Extension,
  hasAccountPage,
  hasEventSink,
  type Replaceable,
} from './app.module-definition.js';
import { AuditConnectionCalls } from './audit/audit-calls.store.js';
import { AuditModule } from './audit/audit.module.js';
import { AuditActivityReader } from './audit/audit-reader.store.js';
import { type Config, trustedIssuersOf } from './config/config.js';
import { readSigningKeysFile } from './config/signing-keys.js';
import { readServiceVersion } from './config/service-version.js';
import { AccountExportController } from './export/account-export.controller.js';
import { AccountExportModule } from './export/account-export.module.js';
import { accountTextsOf, languagesOf } from './languages.js';
import { MetricsApprovalMeter } from './observability/metrics/approval-meter.js';
import { MetricsBudgetMeter } from './observability/metrics/budget-meter.js';
import { MetricsModule } from './observability/metrics/metrics.module.js';
import { OutboxModule } from './outbox/outbox.module.js';
import { redisAdapters } from './redis.providers.js';
import { machineResources, resourcesOf, scopesOf } from './resources.js';
import { ArgumentScreening } from './tools/call-screening.js';
import { instructionsFor, machineInstructionsFor } from './tools/instructions.js';
import { OpenApprovals } from './tools/open-approvals.js';
import { ToolScreeningService } from './tools/tool-screening.service.js';
import { McpPageTools } from './tools/pages/mcp-page-tools.js';
import { PageOfferNotes } from './tools/pages/page-offer-notes.js';
import { TabResources } from './tools/pages/tab-resources.js';
import { TabToolsModule } from './tools/tab-tools.module.js';

/** What administration needs and the audit trail, for a process with these accounts, budgets and events. */
export function administrationModules(
  config: Config,
  extensions: readonly Partial<Extension>[],
  accounts: DynamicModule | Type,
  { budget, events, accountExport }: Pick<BuiltIn, 'budget' | 'events' | 'accountExport'>,
) {
  const { auditRetentionMs: retentionMs, publicOrigins } = config;
  const audit = AuditModule.forRoot({ retentionMs, imports: [accounts, events] });
  const administration = AdministrationModule.forRoot({
    port: config.listen.port,
    publicOrigins,
    machineResources: machineResources(config, extensions),
    imports: [accounts, accountExport, OAuthAdministrationModule, budget, audit, events],
  });
  return { audit, administration };
}

/** Binds every port to its adapter: an embedded one, Redis for state that replicas share, or a team's own. */
export function builtInModules(config: Config, extensions: readonly Partial<Extension>[]) {
  const onRedis: Partial<Record<Replaceable, Provider[]>> =
    config.redisUrl === undefined ? {} : redisAdapters;
  /** Where several providers have one token, the last counts. */
  const bound = (name: Replaceable, ...own: Provider[]): Provider[] => [
    ...own,
    ...(onRedis[name] ?? []),
    ...extensions.flatMap<Provider>(({ replacements }) => replacements?.[name] ?? []),
  ];
  const budget = BudgetModule.forRoot({
    dailyLimit: config.budgetDailyLimit,
    imports: [MetricsModule],
    providers: bound('budget', { provide: BudgetMeter, useClass: MetricsBudgetMeter }),
  });
  const accounts = AccountsModule.forRoot({
    sessionLifetimes: config.sessionLifetimes,
    linkedPages: [
      { path: '/svc/oauth/authorize', withoutFetchMetadata: true, takesForm: true },
      { path: '/svc/account' },
      { path: '/svc/account/apps/*', takesForm: true },
      { path: '/svc/account/requests/*', takesForm: true },
      { path: '/' },
    ],
    rateLimit: config.rateLimit,
    clientAddressHeader: config.clientAddressHeader,
    signUp: config.signUp,
    imports: [budget],
    providers: bound(
      'accounts',
      { provide: BudgetReader, useExisting: BudgetService },
      { provide: ActivityReader, useClass: AuditActivityReader },
    ),
  });
  const passkeys = PasskeysModule.forRoot({
    relyingPartyName: config.serviceName,
    addPasskeyMaxAgeMs: config.addPasskeyMaxAgeMs,
    imports: [accounts],
    providers: bound('passkeys'),
  });
  const screening = ScreeningModule.forRoot({
    webhookUrl: config.screeningWebhookUrl,
    imports: [budget],
    providers: bound('screening', { provide: ScreeningService, useClass: ToolScreeningService }),
  });
  const everyScope = scopesOf(config, extensions);
  const resources = resourcesOf(config, extensions);
  const languages = languagesOf(config, extensions);
  const brands = [...extensions.map((extension) => extension.brand), config.brand];
  const brand = checkedBrand(Object.assign({}, ...brands));
  const accountPage = AccountPageModule.forRoot({
    serviceName: config.serviceName,
    languages,
    texts: accountTextsOf(languages, extensions),
    brand,
    signInLinks: config.signInLinks,
    access: {
      scopes: [...everyScope, ...resources.flatMap(scopesWithName)],
      maxAgeMs: config.grantMaxAgeMs,
    },
    imports: [accounts],
    providers: bound('accountPage'),
  });
  const oauth = OAuthModule.forRoot({
    serviceName: config.serviceName,
    languages,
    brand,
    signInLinks: config.signInLinks,
    scopes: everyScope,
    resources,
    publicOrigins: config.publicOrigins,
    clientDocuments: config.clientDocuments,
    registration: config.registration,
    machineClients: config.machineClients,
    trustedIssuers: trustedIssuersOf(config, [
      ...everyScope,
      ...resources.flatMap((one) => one.scopes),
    ]),
    readSigningKeys: signingKeysReader(config),
    grantMaxAgeMs: config.grantMaxAgeMs,
    approvals: config.approvals,
    accountPage: hasAccountPage(extensions) ? '/svc/account#apps' : undefined,
    privateUseRedirectSchemes: config.privateUseRedirectSchemes,
    extraFormActions: config.extraFormActions,
    imports: [
      accounts,
      budget,
      passkeys,
      MetricsModule,
      ...(hasAccountPage(extensions) ? [accountPage] : []),
    ],
    providers: bound(
      'oauth',
      { provide: ApprovalMeter, useClass: MetricsApprovalMeter },
      { provide: ApprovalPasskeys, useExisting: ConfirmationsService },
      { provide: ConnectionCalls, useClass: AuditConnectionCalls },
      { provide: ConnectionUsage, useExisting: BudgetService },
    ),
  });
  const accountExport = {
    ...AccountExportModule.forRoot({
      imports: [accounts, passkeys, budget, oauth],
      providers: bound('accountExport'),
    }),
    controllers: [AccountExportController],
  };
  const tabs = TabHubModule.forRoot({
    imports: [accounts, oauth],
    providers: bound(
      'tabs',
      { provide: OfferNotes, useClass: PageOfferNotes },
      { provide: OpenRequests, useClass: OpenApprovals },
    ),
  });
  const instructionsOfTeams = extensions.flatMap(({ instructions }) => instructions ?? []);
  const mcp = McpModule.forRoot({
    serviceName: config.serviceName,
    scopes: everyScope.map(({ name }) => name),
    measureCharges,
    extensions: mcpExtensionsOf(config),
    server: {
      version: readServiceVersion(),
      websiteUrl: config.website.url,
      icons: config.website.icons,
      instructions: instructionsFor(config.serviceName, instructionsOfTeams),
      machineInstructions: machineInstructionsFor(config.serviceName, instructionsOfTeams),
    },
    imports: [accounts, oauth, screening, TabToolsModule.forRoot({ imports: [tabs, screening] })],
    providers: bound(
      'mcp',
      { provide: CallScreening, useClass: ArgumentScreening },
      { provide: AccountTools, useExisting: McpPageTools },
      { provide: AccountResources, useExisting: TabResources },
    ),
  });
  const code = CodeRunnerModule.forRoot({
    imports: [budget, screening],
    providers: bound('code'),
  });
  const events = OutboxModule.forRoot({
    webhook: config.eventsWebhook,
    hasSink: hasEventSink(extensions),
    delivers: true,
    providers: bound('events'),
  });
  const parts = { budget, events, accountExport };
  const { audit, administration } = administrationModules(config, extensions, accounts, parts);
  const builtIn: BuiltIn = {
    // Express tries routes in the order of these modules: calls of tools come first, then `me` and tokens.
    mcp,
    accounts,
    passkeys,
    budget,
    oauth,
    accountPage,
    accountExport,
    tabs,
    screening,
    code,
    events,
    metrics: MetricsModule,
    administration,
  };
  return { builtIn, audit };
}

const signingKeysReader = ({ signingKeysFile: path }: Config) =>
  path === undefined ? undefined : () => readSigningKeysFile(path);

const mcpExtensionsOf = ({ trustedIssuers, machineClients }: Config) => [
  ...(machineClients ? ['io.modelcontextprotocol/oauth-client-credentials'] : []),
  ...(trustedIssuers ? ['io.modelcontextprotocol/enterprise-managed-authorization'] : []),
];

const scopesWithName = ({ name: resource, scopes: its }: Resource) =>
  its.map((scope) => ({ ...scope, resource }));
