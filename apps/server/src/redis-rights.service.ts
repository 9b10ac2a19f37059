import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Redis } from 'ioredis';
import { FAIL_FAST } from '#libs/platform';
import { triedRights } from './doctor/redis.js';

/**
 * Logs at the start, in one line, which commands Redis refuses to the service; an unreachable Redis is reported
 * elsewhere.
 */
@Injectable()
export class RedisRightsService implements OnApplicationBootstrap {
  private readonly logger = new Logger('Redis');

  constructor(private readonly redis: Redis) {}

  async onApplicationBootstrap() {
    if (this.redis.status !== 'ready') return;
    const trial = this.redis.duplicate({
      ...FAIL_FAST,
      connectionName: 'gatehouse-rights',
      lazyConnect: true,
      retryStrategy: null,
    });
    trial.on('error', () => {});
    try {
      await trial.connect();
      const { severity, text, remedy } = await triedRights(trial);
      if (severity !== 'ok') this.logger.warn(`${text}: ${remedy}`);
    } catch (error) {
      this.logger.debug(`what Redis lets its user do could not be tried: ${String(error)}`);
    } finally {
      trial.disconnect();
    }
  }
}
