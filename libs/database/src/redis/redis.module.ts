import { type DynamicModule, Global, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Redis } from 'ioredis';
import { closeRedis, openRedis } from './redis.connection.js';

const START_WAIT_MS = 2_000;

/** The one connection for Redis commands, injected by ioredis' class. Import it only when Redis is configured. */
@Global()
@Module({})
export class RedisModule implements OnApplicationShutdown {
  constructor(private readonly redis: Redis) {}

  static forRoot(url: string, startWaitMs = START_WAIT_MS): DynamicModule {
    return {
      module: RedisModule,
      providers: [{ provide: Redis, useFactory: () => openRedis(url, startWaitMs) }],
      exports: [Redis],
    };
  }

  async onApplicationShutdown() {
    await closeRedis(this.redis);
  }
}
