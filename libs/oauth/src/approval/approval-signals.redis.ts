import type { OnApplicationShutdown } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Redis } from 'ioredis';
import { REDIS_BEAT_MS, RedisChannel } from '#libs/platform';
import { ApprovalSignals } from './approval-signals.js';

export class RedisApprovalSignals extends ApprovalSignals implements OnApplicationShutdown {
  private readonly channel: RedisChannel;

  constructor(redis: Redis) {
    super();
    this.channel = new RedisChannel(redis, {
      name: 'oauth:requests',
      connectionName: 'gatehouse-requests',
      logContext: RedisApprovalSignals.name,
      sendingFails: 'requests to people are shown and answered late on other replicas',
      sendingWorks: 'requests to people are shown and answered at once again',
      hearingFails: 'requests to people of other replicas are shown and answered late here',
    });
  }

  override publish(userId: string) {
    this.channel.publish(userId);
  }

  override listen(listener: (userId: string) => void) {
    this.channel.listen(listener);
  }

  @Interval('requests-connection', REDIS_BEAT_MS)
  beat(): Promise<void> {
    return this.channel.beat();
  }

  async onApplicationShutdown() {
    await this.channel.close();
  }
}
