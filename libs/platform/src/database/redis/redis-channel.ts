import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Redis } from 'ioredis';
import { OutageLog } from '../../outage.js';
import { closeRedis, REDIS_BEAT_MS, RedisHeartbeat, subscriberOf } from './redis.client.js';

/** In characters. */
const MAX_TEXT_LENGTH = 4_000;

interface RedisChannelOptions<Message> {
  /** Of the channel, without key prefix and database: `oauth:cancelled-calls`. */
  readonly name: string;
  /** Of the connection that hears it, in Redis' CLIENT LIST. */
  readonly connectionName: string;
  /** Context of the log lines. */
  readonly logContext: string;
  /** What the log says while texts do not reach other replicas, before the reason. */
  readonly sendingFails: string;
  readonly sendingWorks: string;
  /** What it says when Redis refuses to let this replica hear the channel, before the reason. */
  readonly hearingFails: string;
  readonly format: (message: Message) => string;
  /** Undefined for a text that is no message. */
  readonly parse: (text: string) => Message | undefined;
}

/**
 * Publishes short messages on one channel that all replicas subscribe to, the sender included. A message may be lost,
 * and is while Redis is away. Nest runs its heartbeat and closes it: it has to be a provider.
 */
export class RedisChannel<Message> implements OnApplicationShutdown {
  private readonly outage: OutageLog;
  private readonly channel: string;
  private readonly hearing: Redis;
  private readonly heartbeat: RedisHeartbeat;

  constructor(
    private readonly redis: Redis,
    private readonly options: RedisChannelOptions<Message>,
  ) {
    const { keyPrefix = '', db = 0 } = redis.options;
    this.outage = new OutageLog(new Logger(options.logContext));
    // Redis channels are shared by all logical databases, so the name contains the database.
    this.channel = `${keyPrefix}${options.name}:${db}`;
    this.hearing = subscriberOf(redis, options.connectionName);
    this.heartbeat = new RedisHeartbeat(this.hearing);
  }

  /** Never throws, and does not wait for the delivery. A text of more than 4,000 characters is not published. */
  publish(message: Message): void {
    const { format, sendingFails, sendingWorks } = this.options;
    const text = format(message);
    if (text.length > MAX_TEXT_LENGTH) return;
    const send = () => this.redis.publish(this.channel, text);
    void this.outage.watch(send, sendingFails, sendingWorks);
  }

  /** Calls `listener` with each message that any replica publishes. Has to be called once, at the start. */
  listen(listener: (message: Message) => void): void {
    this.hearing.on('message', (_channel: string, text: string) => {
      const message = this.options.parse(text);
      if (message !== undefined) listener(message);
    });
    this.hearing.on('error', ({ message }) =>
      this.outage.begin(`${this.options.hearingFails}: ${message}`),
    );
    this.hearing.on('ready', () => void this.subscribe());
    this.hearing.connect().catch(() => undefined);
  }

  @Interval(REDIS_BEAT_MS)
  beat(): Promise<void> {
    return this.heartbeat.beat();
  }

  onApplicationShutdown(): Promise<void> {
    return closeRedis(this.hearing);
  }

  private async subscribe() {
    try {
      await this.hearing.subscribe(this.channel);
      this.outage.end('hears Redis again');
    } catch (error) {
      this.outage.begin(`${this.options.hearingFails}: ${String(error)}`);
      const isRefused = error instanceof Error && error.name === 'ReplyError';
      if (this.hearing.status === 'ready' && !isRefused) this.hearing.disconnect(true);
    }
  }
}
