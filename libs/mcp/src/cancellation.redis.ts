import type { OnApplicationShutdown } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Redis } from 'ioredis';
import { parseJson, REDIS_BEAT_MS, RedisChannel } from '#libs/platform';
import { type Cancellation, Cancellations, isRequestId } from './cancellation.js';

/** Cancellations of more ids than a batch needs are too long for the channel and are not published. */
export class RedisCancellations extends Cancellations implements OnApplicationShutdown {
  private readonly channel: RedisChannel;

  constructor(redis: Redis) {
    super();
    this.channel = new RedisChannel(redis, {
      name: 'oauth:cancelled-calls',
      connectionName: 'gatehouse-cancellations',
      logContext: RedisCancellations.name,
      sendingFails: 'calls are not cancelled on other replicas',
      sendingWorks: 'calls are cancelled on other replicas again',
      hearingFails: 'calls are not cancelled by other replicas',
    });
  }

  override publish({ grantId, ids }: Cancellation) {
    this.channel.publish(JSON.stringify([grantId, ...ids]));
  }

  override listen(listener: (cancellation: Cancellation) => void) {
    this.channel.listen((text) => {
      const cancellation = parsed(text);
      if (cancellation) listener(cancellation);
    });
  }

  @Interval('cancellations-connection', REDIS_BEAT_MS)
  beat(): Promise<void> {
    return this.channel.beat();
  }

  async onApplicationShutdown() {
    await this.channel.close();
  }
}

function parsed(text: string): Cancellation | undefined {
  const value = parseJson(text);
  const [grantId, ...ids]: unknown[] = Array.isArray(value) ? value : [];
  return typeof grantId === 'string' ? { grantId, ids: ids.filter(isRequestId) } : undefined;
}
