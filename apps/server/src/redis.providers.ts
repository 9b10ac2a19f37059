import type { InjectionToken, Provider } from '@nestjs/common';
import { getStorageToken } from '@nestjs/throttler';
import { Redis } from 'ioredis';
import { VisitorStorage } from '#libs/accounts';
import { BudgetStore, RedisBudgetStore } from '#libs/budget';
import { RedisUserRunLimit, UserRunLimit } from '#libs/code-runner';
import { Cancellations, RedisCancellations } from '#libs/mcp';
import {
  ApprovalSignals,
  ClientDocumentCache,
  CountedRegistrationBudget,
  InProcessClientDocumentCache,
  RedisApprovalSignals,
  RedisClientDocumentCache,
  RegistrationBudget,
} from '#libs/oauth';
import { ChallengeStore, RedisChallengeStore } from '#libs/passkeys';
import { AccountTurns, RedisModule, RedisRateLimiter } from '#libs/platform';
import { RedisTabBus, RedisTabPresence, TabBus, TabPresence } from '#libs/tab-hub';
import type { Replaceable } from './app.module-definition.js';
import type { Config } from './config/config.js';

export const redisModules = ({ redisUrl: url, redisPrefix: keyPrefix }: Config) =>
  url === undefined ? [] : [RedisModule.forRoot({ url, keyPrefix })];

const onRedis = (provide: InjectionToken, useFactory: (redis: Redis) => unknown): Provider => ({
  provide,
  useFactory,
  inject: [Redis],
});

export const tabBusOnRedis = onRedis(TabBus, (redis) => new RedisTabBus(redis));

const VISITS = { prefix: 'accounts:visits:', counts: 'visits' };
const REGISTERED = { prefix: 'oauth:registered-bytes:', counts: 'registered bytes' };

export const redisAdapters = {
  accounts: [
    onRedis(getStorageToken(), (redis) => new VisitorStorage(new RedisRateLimiter(redis, VISITS))),
  ],
  budget: [onRedis(BudgetStore, (redis) => new RedisBudgetStore(redis))],
  code: [onRedis(UserRunLimit, (redis) => new RedisUserRunLimit(redis))],
  oauth: [
    onRedis(ApprovalSignals, (redis) => new RedisApprovalSignals(redis)),
    onRedis(
      ClientDocumentCache,
      (redis) => new RedisClientDocumentCache(redis, new InProcessClientDocumentCache()),
    ),
    onRedis(
      RegistrationBudget,
      (redis) => new CountedRegistrationBudget(new RedisRateLimiter(redis, REGISTERED)),
    ),
  ],
  mcp: [onRedis(Cancellations, (redis) => new RedisCancellations(redis))],
  passkeys: [onRedis(ChallengeStore, (redis) => new RedisChallengeStore(redis))],
  tabs: [
    tabBusOnRedis,
    {
      provide: TabPresence,
      useFactory: (redis: Redis, bus: TabBus, turns: AccountTurns) =>
        new RedisTabPresence(redis, bus, undefined, turns),
      inject: [Redis, TabBus, AccountTurns],
    },
  ],
} satisfies Partial<Record<Replaceable, Provider[]>>;
