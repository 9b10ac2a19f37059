import { type DynamicModule, Global, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Redis } from 'ioredis';
import { closeRedis, openRedis, type RedisLocation } from './redis.connection.js';

const START_WAIT_MS = 2_000;

/**
 * The one connection for Redis commands, injected by ioredis' class `Redis`; closed with the
 * application. Import it at the root, and only when Redis is configured. Commands fail within a third
 * of a second while Redis is out of service, which `isRedisOutage` tells from other errors.
 */
@Global()
@Module({})
export class RedisModule implements OnApplicationShutdown {
  constructor(private readonly redis: Redis) {}

  /** Waits at most `startWaitMs` for Redis, and starts without it after that. */
  static forRoot(location: RedisLocation, startWaitMs = START_WAIT_MS): DynamicModule {
    return {
      module: RedisModule,
      providers: [{ provide: Redis, useFactory: () => openRedis(location, startWaitMs) }],
      exports: [Redis],
    };
  }

  async onApplicationShutdown() {
    await closeRedis(this.redis);
  }
}
