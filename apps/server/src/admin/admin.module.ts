import { type DynamicModule, Module } from '@nestjs/common';
import { Redis } from 'ioredis';
import { AccountsAdministrationModule } from '#libs/accounts';
import { BudgetModule, BudgetStore, RedisBudgetStore } from '#libs/budget';
import { RedisModule } from '#libs/database';
import { OAuthAdministrationModule } from '#libs/oauth';
import { PasskeysAdministrationModule } from '#libs/passkeys';
import { AccountAnnouncerService, RedisTabBus, TabBus } from '#libs/tab-hub';
import { AdministrationModule } from '../administration/administration.module.js';
import { recoveryOriginOf } from '../administration/recovery-origin.js';
import { AuditModule } from '../audit/audit.module.js';
import { BudgetFarewellService } from '../budget-farewell.service.js';
import type { Config } from '../config/config.js';
import { DatabaseModule } from '../database.module.js';

/** What tells the replicas. Without Redis nobody can, and they notice by themselves. */
const messengers = [
  { provide: TabBus, useFactory: (redis: Redis) => new RedisTabBus(redis), inject: [Redis] },
  AccountAnnouncerService,
];

const budgetOnRedis = {
  provide: BudgetStore,
  useFactory: (redis: Redis) => new RedisBudgetStore(redis),
  inject: [Redis],
};

/** Administration beside the service: on its database, which has to be there, and on its Redis. */
@Module({})
export class AdminModule {
  static forRoot(config: Config): DynamicModule {
    const { database, redisUrl, budgetDailyLimit: dailyLimit } = config;
    const accounts = AccountsAdministrationModule;
    const shared = redisUrl !== undefined;
    const budget = BudgetModule.forRoot({ dailyLimit, providers: shared ? [budgetOnRedis] : [] });
    const audit = AuditModule.forRoot({ imports: [accounts] });
    return {
      module: AdminModule,
      imports: [
        DatabaseModule.forMigrated(database),
        ...(redisUrl === undefined ? [] : [RedisModule.forRoot(redisUrl)]),
        accounts,
        PasskeysAdministrationModule,
        budget,
        AdministrationModule.forRoot({
          recoveryOrigin: recoveryOriginOf(config),
          imports: [accounts, OAuthAdministrationModule, budget, audit],
        }),
      ],
      providers: [BudgetFarewellService, ...(shared ? messengers : [])],
    };
  }
}
