import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { OutageLog } from '../../outage.js';
import { closeRedis, RedisHeartbeat, subscriberOf } from './redis.client.js';

/** In characters. */
const MAX_TEXT_LENGTH = 4_000;

export interface RedisChannelOptions {
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
}

/**
 * Publishes short texts on one channel that all replicas subscribe to, the sender included. A text may be lost, and is
 * while Redis is away. Its owner calls `beat` each REDIS_BEAT_MS, and `close` at the shutdown.
 */
export class RedisChannel {
  private readonly outage: OutageLog;
  private readonly channel: string;
  private readonly hearing: Redis;
  private readonly heartbeat: RedisHeartbeat;

  constructor(
    private readonly redis: Redis,
    private readonly options: RedisChannelOptions,
  ) {
    const { keyPrefix = '', db = 0 } = redis.options;
    this.outage = new OutageLog(new Logger(options.logContext));
    // Redis channels are shared by all logical databases, so the name contains the database.
    this.channel = `${keyPrefix}${options.name}:${db}`;
    this.hearing = subscriberOf(redis, options.connectionName);
    this.heartbeat = new RedisHeartbeat(this.hearing);
  }

  /** Never throws, and does not wait for the delivery. Texts of more than 4,000 characters are not published. */
  publish(text: string): void {
    if (text.length > MAX_TEXT_LENGTH) return;
    const { sendingFails, sendingWorks } = this.options;
    const send = () => this.redis.publish(this.channel, text);
    void this.outage.watch(send, sendingFails, sendingWorks);
  }

  /** Calls `listener` with each text that any replica publishes. Has to be called once, at the start. */
  listen(listener: (text: string) => void): void {
    this.hearing.on('message', (_channel: string, text: string) => listener(text));
    this.hearing.on('error', ({ message }) =>
      this.outage.begin(`${this.options.hearingFails}: ${message}`),
    );
    this.hearing.on('ready', () => void this.subscribe());
    this.hearing.connect().catch(() => undefined);
  }

  /** Never rejects. */
  beat(): Promise<void> {
    return this.heartbeat.beat();
  }

  close(): Promise<void> {
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
