import { type DynamicModule, Module } from '@nestjs/common';
import { Redis } from 'ioredis';
import { AccountsAdministrationModule } from '#libs/accounts';
import { RedisModule } from '#libs/database';
import { RedisTabBus, SessionEndAnnouncerService, TabBus } from '#libs/tab-hub';
import { AdministrationModule } from '../administration/administration.module.js';
import { AuditModule } from '../audit/audit.module.js';
import type { Config } from '../config/config.js';
import { DatabaseModule } from '../database.module.js';

/** What tells the replicas. Without Redis nobody can, and they notice by themselves. */
const messengers = [
  { provide: TabBus, useFactory: (redis: Redis) => new RedisTabBus(redis), inject: [Redis] },
  SessionEndAnnouncerService,
];

/** Administration beside the service: on its database, which has to be there, and on its Redis. */
@Module({})
export class AdminModule {
  static forRoot({ database, redisUrl }: Config): DynamicModule {
    const accounts = AccountsAdministrationModule;
    const audit = AuditModule.forRoot({ imports: [accounts] });
    return {
      module: AdminModule,
      imports: [
        DatabaseModule.forMigrated(database),
        ...(redisUrl === undefined ? [] : [RedisModule.forRoot(redisUrl)]),
        accounts,
        AdministrationModule.forRoot({ imports: [accounts, audit] }),
      ],
      providers: redisUrl === undefined ? [] : messengers,
    };
  }
}
