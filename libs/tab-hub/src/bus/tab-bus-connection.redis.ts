import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { closeRedis, FAIL_FAST, keepHeartbeat, OutageLog } from '#libs/database';
import { TabBusDownError } from './tab-bus-down.error.js';

interface ConnectionListeners {
  readonly onMessage: (channel: string, text: string) => void;
  /** The connection was there and is not any more: Redis has forgotten its channels. */
  readonly onLost: () => void;
}

/**
 * The one connection that this replica is subscribed to channels on. It opens itself anew for as long as it takes,
 * but subscribes to nothing by itself. Redis' silence is noticed within three seconds.
 */
export class TabBusConnection {
  private readonly outage = new OutageLog(new Logger('TabBus'));
  private readonly redis: Redis;
  private opening: PromiseWithResolvers<void> | undefined;
  private isOpen = false;
  private isClosing = false;

  constructor(
    commands: Redis,
    private readonly listeners: ConnectionListeners,
  ) {
    this.redis = commands.duplicate({
      ...FAIL_FAST,
      autoResubscribe: false,
      connectionName: 'gatehouse-tab-bus',
      lazyConnect: false,
    });
    this.redis.on('ready', () => this.onOpen());
    this.redis.on('close', () => this.onClosed());
    this.redis.on('end', () => this.onClosed());
    this.redis.on('error', ({ message, code }: NodeJS.ErrnoException) =>
      this.report(message || code),
    );
    this.redis.on('message', listeners.onMessage);
    keepHeartbeat(this.redis);
  }

  /**
   * Waits while the connection is being opened, a second at most. ioredis itself would write a SUBSCRIBE
   * too early, before it has finished its own greetings, and give the connection up over it.
   * @throws TabBusDownError when there is none
   */
  async whenOpen(): Promise<void> {
    const { status } = this.redis;
    if (this.isClosing) throw new TabBusDownError();
    if (status === 'ready') return;
    if (status !== 'connecting' && status !== 'connect') throw new TabBusDownError();
    this.opening ??= Promise.withResolvers();
    await this.opening.promise;
  }

  async subscribe(channel: string): Promise<void> {
    await this.redis.subscribe(channel);
  }

  /** What is written is done in order, even when the answer is late; and a connection that breaks forgets it all. */
  async unsubscribe(channel: string): Promise<void> {
    await this.redis.unsubscribe(channel).catch(() => undefined);
  }

  async close(): Promise<void> {
    this.isClosing = true;
    await closeRedis(this.redis);
  }

  private onOpen() {
    this.isOpen = true;
    this.outage.end('hears Redis again');
    this.opening?.resolve();
    this.opening = undefined;
  }

  private onClosed() {
    this.opening?.reject(new TabBusDownError());
    this.opening = undefined;
    if (!this.isOpen) return;
    this.isOpen = false;
    if (this.isClosing) return;
    this.report('the connection broke');
    this.listeners.onLost();
  }

  private report(problem: string | undefined) {
    if (!this.isClosing) this.outage.begin(`does not hear Redis: ${problem}`);
  }
}
