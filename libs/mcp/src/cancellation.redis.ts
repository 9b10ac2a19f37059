import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Redis } from 'ioredis';
import {
  closeRedis,
  OutageLog,
  parseJson,
  REDIS_BEAT_MS,
  RedisHeartbeat,
  subscriberOf,
} from '#libs/platform';
import { type Cancellation, Cancellations, isRequestId } from './cancellation.js';

/** More than the ids of a batch need; longer messages are not published. */
const MAX_TEXT_LENGTH = 4_000;

/** Publishes cancellations on one channel that all replicas subscribe to. */
export class RedisCancellations extends Cancellations implements OnApplicationShutdown {
  private readonly outage = new OutageLog(new Logger(RedisCancellations.name));
  private readonly channel: string;
  private readonly hearing: Redis;
  private readonly heartbeat: RedisHeartbeat;

  constructor(private readonly redis: Redis) {
    super();
    const { keyPrefix = '', db = 0 } = redis.options;
    // Redis channels are shared by all logical databases, so the name contains the database.
    this.channel = `${keyPrefix}oauth:cancelled-calls:${db}`;
    this.hearing = subscriberOf(redis, 'gatehouse-cancellations');
    this.heartbeat = new RedisHeartbeat(this.hearing);
  }

  override publish({ grantId, ids }: Cancellation) {
    const text = JSON.stringify([grantId, ...ids]);
    if (text.length > MAX_TEXT_LENGTH) return;
    void this.outage.watch(
      () => this.redis.publish(this.channel, text),
      'calls are not cancelled on other replicas',
      'calls are cancelled on other replicas again',
    );
  }

  override listen(listener: (cancellation: Cancellation) => void) {
    this.hearing.on('message', (_channel: string, text: string) => {
      const cancellation = parsed(text);
      if (cancellation) listener(cancellation);
    });
    this.hearing.on('error', ({ message }) => this.outage.begin(`does not hear Redis: ${message}`));
    this.hearing.on('ready', () => void this.subscribe());
    this.hearing.connect().catch(() => undefined);
  }

  @Interval('cancellations-connection', REDIS_BEAT_MS)
  beat(): Promise<void> {
    return this.heartbeat.beat();
  }

  async onApplicationShutdown() {
    await closeRedis(this.hearing);
  }

  private async subscribe() {
    try {
      await this.hearing.subscribe(this.channel);
      this.outage.end('hears Redis again');
    } catch (error) {
      this.outage.begin(`calls are not cancelled by other replicas: ${String(error)}`);
      const isRefused = error instanceof Error && error.name === 'ReplyError';
      if (this.hearing.status === 'ready' && !isRefused) this.hearing.disconnect(true);
    }
  }
}

function parsed(text: string): Cancellation | undefined {
  const value = parseJson(text);
  const [grantId, ...ids]: unknown[] = Array.isArray(value) ? value : [];
  return typeof grantId === 'string' ? { grantId, ids: ids.filter(isRequestId) } : undefined;
}
