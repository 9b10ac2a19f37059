import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { Redis } from 'ioredis';
import { AccountsAdministrationModule } from '#libs/accounts';
import { BudgetModule, BudgetStore, RedisBudgetStore } from '#libs/budget';
import { RedisModule } from '#libs/platform';
import { OAuthAdministrationModule } from '#libs/oauth';
import { PasskeysAdministrationModule } from '#libs/passkeys';
import { AccountAnnouncerService, RedisTabBus, TabBus } from '#libs/tab-hub';
import { AdministrationModule } from '../administration/administration.module.js';
import { recoveryOriginOf } from '../administration/values.js';
import { AuditModule } from '../audit/audit.module.js';
import { type Extension, hasEventSink } from '../app.module-definition.js';
import { BudgetFarewellService } from '../budget-farewell.service.js';
import type { Config } from '../config/config.js';
import { DatabaseModule } from '../database.module.js';
import { MetricsModule } from '../observability/metrics/metrics.module.js';
import { OutboxModule } from '../outbox/outbox.module.js';

/**
 * The adapters that notify the replicas of changes. Without Redis no notification is sent; the replicas notice
 * changes by themselves.
 */
const messengers = [
  { provide: TabBus, useFactory: (redis: Redis) => new RedisTabBus(redis), inject: [Redis] },
  AccountAnnouncerService,
];

const budgetOnRedis = {
  provide: BudgetStore,
  useFactory: (redis: Redis) => new RedisBudgetStore(redis),
  inject: [Redis],
};

/**
 * The administration command line runs beside the service: on the same database, which has to exist, and the same
 * Redis. Of the teams' extensions it loads what they replace in `budget`, so that the service's limits apply, and it
 * writes to the outbox the events that the service then delivers to their EventSink.
 */
@Module({})
export class AdminModule {
  static forRoot(config: Config, extensions: readonly Extension[] = []): DynamicModule {
    const { database, redisUrl, budgetDailyLimit: dailyLimit } = config;
    const accounts = AccountsAdministrationModule;
    const shared = redisUrl !== undefined;
    const replaced = extensions.flatMap<Provider>(({ replacements }) => replacements?.budget ?? []);
    const budget = BudgetModule.forRoot({
      dailyLimit,
      imports: [MetricsModule],
      providers: [...(shared ? [budgetOnRedis] : []), ...replaced],
    });
    const events = OutboxModule.forRoot({
      webhook: config.eventsWebhook,
      hasSink: hasEventSink(extensions),
      delivers: false,
    });
    const audit = AuditModule.forRoot({
      retentionMs: config.auditRetentionMs,
      imports: [accounts, events],
    });
    return {
      module: AdminModule,
      imports: [
        DatabaseModule.forMigrated(database),
        ...(redisUrl === undefined
          ? []
          : [RedisModule.forRoot({ url: redisUrl, keyPrefix: config.redisPrefix })]),
        accounts,
        PasskeysAdministrationModule,
        budget,
        AdministrationModule.forRoot({
          recoveryOrigin: recoveryOriginOf(config),
          publicOrigins: config.publicOrigins,
          imports: [accounts, OAuthAdministrationModule, budget, audit, events],
        }),
      ],
      providers: [BudgetFarewellService, ...(shared ? messengers : [])],
    };
  }
}
