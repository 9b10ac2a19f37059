import {
  type DynamicModule,
  type InjectionToken,
  Module,
  type ModuleMetadata,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { getStorageToken } from '@nestjs/throttler';
import { Redis } from 'ioredis';
import {
  AccountsModule,
  BudgetReader,
  InProcessVisitWindows,
  RedisVisitWindows,
} from '#libs/accounts';
import { BudgetModule, BudgetService, BudgetStore, RedisBudgetStore } from '#libs/budget';
import {
  ClientDocumentCache,
  InProcessClientDocumentCache,
  OAuthModule,
  RedisClientDocumentCache,
} from '#libs/oauth';
import { ChallengeStore, PasskeysModule, RedisChallengeStore } from '#libs/passkeys';
import { AuditModule } from './audit/audit.module.js';
import type { Config } from './config/config.js';
import { DatabaseModule } from './platform/database/database.module.js';
import { ShutdownGraceService } from './platform/http/shutdown-grace.service.js';
import { RedisModule } from './platform/redis/redis.module.js';
import { AccountStatusTool } from './tools/account-status.tool.js';
import { scopes } from './tools/scopes.js';

/** A module of a team's own, imported beside the built-in ones. */
export type Extension = NonNullable<ModuleMetadata['imports']>[number];

/** Where every port gets its adapter: the embedded ones, or Redis for what replicas share. */
@Module({})
export class AppModule {
  static forRoot(config: Config, extensions: readonly Extension[] = []): DynamicModule {
    const withRedis = <T>(entries: T[]) => (config.redisUrl === undefined ? [] : entries);
    const budget = BudgetModule.forRoot({
      dailyLimit: config.budgetDailyLimit,
      providers: withRedis([onRedis(BudgetStore, (redis) => new RedisBudgetStore(redis))]),
    });
    const accounts = AccountsModule.forRoot({
      sessionLifetimes: config.sessionLifetimes,
      rateLimit: config.rateLimit,
      clientAddressHeader: config.clientAddressHeader,
      imports: [budget],
      providers: [
        { provide: BudgetReader, useExisting: BudgetService },
        ...withRedis([onRedis(getStorageToken(), sharedVisitWindows)]),
      ],
    });
    const passkeys = PasskeysModule.forRoot({
      relyingPartyName: config.serviceName,
      imports: [accounts],
      providers: withRedis([onRedis(ChallengeStore, (redis) => new RedisChallengeStore(redis))]),
    });
    const oauth = OAuthModule.forRoot({
      serviceName: config.serviceName,
      scopes,
      clientDocuments: config.clientDocuments,
      privateUseRedirectSchemes: config.privateUseRedirectSchemes,
      extraFormActions: config.extraFormActions,
      imports: [accounts],
      providers: withRedis([onRedis(ClientDocumentCache, sharedClientDocuments)]),
    });
    const { redisUrl, database, shutdownGraceMs } = config;
    return {
      module: AppModule,
      imports: [
        DatabaseModule.forRoot(database),
        ...(redisUrl === undefined ? [] : [RedisModule.forRoot(redisUrl)]),
        budget,
        accounts,
        passkeys,
        oauth,
        AuditModule.forRoot({ imports: [accounts] }),
        ...extensions,
      ],
      providers: [
        AccountStatusTool,
        {
          provide: ShutdownGraceService,
          useFactory: (host: HttpAdapterHost) => new ShutdownGraceService(host, shutdownGraceMs),
          inject: [HttpAdapterHost],
        },
      ],
    };
  }
}

const onRedis = (provide: InjectionToken, useFactory: (redis: Redis) => unknown) => ({
  provide,
  useFactory,
  inject: [Redis],
});

const sharedVisitWindows = (redis: Redis) =>
  new RedisVisitWindows(redis, new InProcessVisitWindows());

const sharedClientDocuments = (redis: Redis) =>
  new RedisClientDocumentCache(redis, new InProcessClientDocumentCache());
