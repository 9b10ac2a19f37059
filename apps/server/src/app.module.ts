import {
  type DynamicModule,
  Injectable,
  Module,
  type NestModule,
  type OnModuleInit,
  type Provider,
} from '@nestjs/common';
import { APP_FILTER, DiscoveryModule, DiscoveryService, ModulesContainer } from '@nestjs/core';
import { UserDeletionService, visitorLimit } from '#libs/accounts';
import { BudgetService } from '#libs/budget';
import { BearerErrorFilter } from '#libs/oauth';
import { Intervals } from '#libs/platform';
import { PageClientModule } from '#libs/ui-templates';
import { AdminApiModule } from './admin/http/admin-api.module.js';
import { type BuiltIn, type Extension, hasAccountPage } from './app.module-definition.js';
import { builtInModules } from './built-in.modules.js';
import type { Config } from './config/config.js';
import { ConsoleModule } from './console/console.module.js';
import { DatabaseModule, SqliteClaimService } from './database.module.js';
import { settingsFindings } from './doctor/settings.js';
import { BUILT_IN_MODULES, expectOwnProviders } from './extension-fit.js';
import { ErrorFilter } from './http/error.filter.js';
import { errorFormats, expectFreePaths, routesOf } from './http/routes.js';
import { DrainService } from './http/shutdown.js';
import { ManagementModule } from './observability/management/management.module.js';
import { LoadMetricsService } from './observability/metrics/load-metrics.service.js';
import {
  HubMetricsService,
  IssuerKeyMetricsService,
} from './observability/metrics/replica-metrics.js';
import { redisModules } from './redis.providers.js';
import { AccountStatusTool } from './tools/account-status.tool.js';
import { RunCodeTool } from './tools/run-code.tool.js';

/** Deletes an account's spending after what the libs delete: in Redis it is no part of the transaction. */
@Injectable()
export class BudgetDeletionService implements OnModuleInit {
  constructor(
    private readonly deletions: UserDeletionService,
    private readonly budgets: BudgetService,
  ) {}

  onModuleInit() {
    this.deletions.before((manager, userId) => this.budgets.forget(userId, manager));
  }
}

/** Administration over HTTP, where ADMIN_TOKEN or ADMIN_TOKENS_FILE is set. */
function administrationApi(
  config: Config,
  { accounts, metrics, administration }: BuiltIn,
): DynamicModule[] {
  const { management, variables, serviceName, trustedProxies, clientAddressHeader } = config;
  const { token, tokensFile } = management?.admin ?? {};
  if (token === undefined && tokensFile === undefined) return [];
  const imports = [accounts, administration, metrics];
  if (management?.console) {
    const { settings } = config;
    const findings = () => settingsFindings(config);
    const shown = { serviceName, trustedProxies, clientAddressHeader, settings, findings };
    imports.push(ConsoleModule.forRoot(shown));
  }
  return [AdminApiModule.forRoot({ token, tokensFile, variables, imports })];
}

@Module({})
export class AppModule implements NestModule {
  constructor(
    private readonly modules: ModulesContainer,
    private readonly discovery: DiscoveryService,
  ) {}

  /** Runs before Nest registers any route. */
  configure() {
    expectOwnProviders(this.modules, AppModule);
    expectFreePaths(routesOf(this.discovery, this.modules), BUILT_IN_MODULES);
  }

  /** `load` provides LoadShedder and UnreadAnswers, which the HTTP adapter uses before any module exists. */
  static forRoot(
    config: Config,
    extensions: readonly Partial<Extension>[],
    load: readonly Provider[],
  ): DynamicModule {
    const { redisUrl, database, management, migratesAtStart } = config;
    const { builtIn, audit } = builtInModules(config, extensions);
    const { accountPage, metrics, ...others } = builtIn;
    const { accounts } = builtIn;
    const adminApi = administrationApi(config, builtIn);
    return {
      module: AppModule,
      imports: [
        migratesAtStart
          ? DatabaseModule.forRoot(database, extensions)
          : DatabaseModule.forUnchanged(database),
        ...redisModules(config),
        DiscoveryModule,
        Intervals,
        ...Object.values(others),
        ...(hasAccountPage(extensions) ? [accountPage] : []),
        PageClientModule,
        metrics,
        visitorLimit(accounts),
        audit,
        ...(management === undefined
          ? []
          : [
              ManagementModule.forRoot({
                ...management,
                imports: [accounts, builtIn.events, audit, ...adminApi],
              }),
            ]),
        ...extensions.flatMap(({ modules }) => modules?.(builtIn) ?? []),
      ],
      providers: [
        ...load,
        LoadMetricsService,
        HubMetricsService,
        IssuerKeyMetricsService,
        DrainService,
        // Of two filters for one exception, Nest uses the later one.
        {
          provide: APP_FILTER,
          useFactory: (discovery: DiscoveryService, modules: ModulesContainer) =>
            new ErrorFilter(errorFormats(routesOf(discovery, modules))),
          inject: [DiscoveryService, ModulesContainer],
        },
        { provide: APP_FILTER, useExisting: BearerErrorFilter },
        BudgetDeletionService,
        AccountStatusTool,
        RunCodeTool,
        ...(database.type === 'sqlite' && redisUrl === undefined
          ? [{ provide: SqliteClaimService, useValue: new SqliteClaimService(database.path) }]
          : []),
      ],
    };
  }
}
