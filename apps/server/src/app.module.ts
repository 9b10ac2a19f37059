import { type DynamicModule, Module, type NestModule } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { visitorLimit } from '#libs/accounts';
import { RedisModule } from '#libs/platform';
import { PageClientModule } from '#libs/page-client';
import { administrationApi } from './administration-api.module.js';
import { type Extension, hasAccountPage, migrationsOf } from './app.module-definition.js';
import { AuditModule } from './audit/audit.module.js';
import { BudgetFarewellService } from './budget-farewell.service.js';
import { builtInModules } from './built-in.modules.js';
import type { Config } from './config/config.js';
import { DatabaseModule } from './database.module.js';
import { expectOwnProviders } from './extension-fit.js';
import { AdmissionModule } from './http/admission.middleware.js';
import { TakenPathsModule } from './http/taken-paths.module.js';
import { ManagementModule } from './observability/management/management.module.js';
import { RedisRightsService } from './redis-rights.service.js';
import { SoleProcessService } from './sole-process.service.js';
import { AccountStatusTool } from './tools/account-status.tool.js';
import { RunCodeTool } from './tools/run-code.tool.js';

/** The whole service: connections, the built-in modules and the teams' extensions. */
@Module({})
export class AppModule implements NestModule {
  constructor(private readonly modules: ModulesContainer) {}

  /** Runs before Nest registers any route. */
  configure() {
    expectOwnProviders(this.modules);
  }

  static forRoot(config: Config, extensions: readonly Partial<Extension>[] = []): DynamicModule {
    const { redisUrl, database, management, migratesAtStart } = config;
    const builtIn = builtInModules(config, extensions);
    const { accountPage, metrics, ...others } = builtIn;
    const ours = [
      ...Object.values(others),
      ...(hasAccountPage(extensions) ? [accountPage] : []),
      { module: PageClientModule },
    ];
    const audit = AuditModule.forRoot({
      retentionMs: config.auditRetentionMs,
      imports: [builtIn.accounts, builtIn.events],
    });
    const adminApi = administrationApi(config, builtIn, audit);
    return {
      module: AppModule,
      imports: [
        migratesAtStart
          ? DatabaseModule.forRoot(database, migrationsOf(extensions))
          : DatabaseModule.forUnchanged(database),
        ...(redisUrl === undefined
          ? []
          : [RedisModule.forRoot({ url: redisUrl, keyPrefix: config.redisPrefix })]),
        ...ours,
        metrics,
        visitorLimit(builtIn.accounts),
        AdmissionModule.with(builtIn.oauth),
        TakenPathsModule.forRoot(ours),
        audit,
        ...(management === undefined
          ? []
          : [
              ManagementModule.forRoot({
                ...management,
                imports: [builtIn.accounts, builtIn.events, ...adminApi],
              }),
            ]),
        ...extensions.flatMap(({ modules }) => modules?.(builtIn) ?? []),
      ],
      providers: [
        BudgetFarewellService,
        AccountStatusTool,
        RunCodeTool,
        ...(redisUrl === undefined ? [] : [RedisRightsService]),
        ...(database.type === 'sqlite' && redisUrl === undefined
          ? SoleProcessService.providers(database.path)
          : []),
      ],
    };
  }
}
