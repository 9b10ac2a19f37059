import { type DynamicModule, Global, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Redis } from 'ioredis';
import { Intervals } from '../../intervals.js';
import {
  closeRedis,
  openRedis,
  REDIS_BEAT_MS,
  RedisHeartbeat,
  type RedisLocation,
} from './redis.client.js';

const START_WAIT_MS = 2_000;

/**
 * The one connection for Redis commands, injected as ioredis' `Redis`; closed with the application. Import it at the
 * root, and only when Redis is configured. A silent Redis is noticed within three seconds.
 */
@Global()
@Module({})
export class RedisModule implements OnApplicationShutdown {
  private readonly heartbeat: RedisHeartbeat;

  constructor(private readonly redis: Redis) {
    this.heartbeat = new RedisHeartbeat(redis);
  }

  /** Waits at most `startWaitMs` for Redis, then starts without it. */
  static forRoot(location: RedisLocation, startWaitMs = START_WAIT_MS): DynamicModule {
    return {
      module: RedisModule,
      imports: [Intervals],
      providers: [{ provide: Redis, useFactory: () => openRedis(location, startWaitMs) }],
      exports: [Redis],
    };
  }

  @Interval('redis-connection', REDIS_BEAT_MS)
  beat(): Promise<void> {
    return this.heartbeat.beat();
  }

  async onApplicationShutdown() {
    await closeRedis(this.redis);
  }
}
