import { randomBytes } from 'node:crypto';
import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { FAIL_FAST, OutageLog, closeRedis, keepHeartbeat } from '#libs/platform';
import { channelOf } from './account-listeners.redis.js';
import { TabBusDownError } from './tab-bus-down.error.js';

interface ConnectionListeners {
  readonly onText: (text: string) => void;
  /** The connection was there and is not any more: what was sent meanwhile is lost. */
  readonly onLost: () => void;
}

/** How long a subscription waits for a connection that is being opened. */
const OPENING_MS = 1_000;

/**
 * The one connection that this replica hears the others on, by a channel of its own. It opens itself anew for
 * as long as it takes, with another channel each time: nothing that was meant for the one before comes
 * late. Redis' silence is noticed within three seconds.
 */
export class TabBusConnection {
  private readonly outage = new OutageLog(new Logger('TabBus'));
  private readonly redis: Redis;
  private opening: PromiseWithResolvers<string> | undefined;
  private current: string | undefined;
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
    this.redis.on('ready', () => void this.listen());
    this.redis.on('close', () => this.onClosed());
    this.redis.on('end', () => this.onClosed());
    this.redis.on('error', ({ message, code }: NodeJS.ErrnoException) =>
      this.report(message || code),
    );
    this.redis.on('message', (_channel: string, text: string) => listeners.onText(text));
    keepHeartbeat(this.redis);
  }

  /** What the channel is named after; undefined while nothing is heard. */
  get id(): string | undefined {
    return this.current;
  }

  /**
   * Waits while the connection is being opened, also again after it broke, a second at most. Returns the id.
   * @throws TabBusDownError when there is none by then
   */
  async whenOpen(): Promise<string> {
    if (this.isClosing) throw new TabBusDownError();
    if (this.current !== undefined) return this.current;
    this.opening ??= this.awaitOpening();
    return this.opening.promise;
  }

  /** Begins anew, as if the connection had broken. */
  reopen(reason: string): void {
    this.report(reason);
    this.redis.disconnect(true);
  }

  async close(): Promise<void> {
    this.isClosing = true;
    await closeRedis(this.redis);
  }

  private async listen() {
    const id = randomBytes(12).toString('base64url');
    try {
      await this.redis.subscribe(channelOf(this.redis, id));
    } catch {
      if (this.redis.status === 'ready') this.redis.disconnect(true);
      return;
    }
    this.current = id;
    this.outage.end('hears Redis again');
    this.opening?.resolve(id);
    this.opening = undefined;
  }

  private awaitOpening() {
    const opening = Promise.withResolvers<string>();
    const giveUp = () => {
      if (this.opening === opening) this.opening = undefined;
      opening.reject(new TabBusDownError());
    };
    const timer = setTimeout(giveUp, OPENING_MS).unref();
    opening.promise.finally(() => clearTimeout(timer)).catch(() => undefined);
    return opening;
  }

  private onClosed() {
    if (this.isClosing) this.opening?.reject(new TabBusDownError());
    if (this.current === undefined) return;
    this.current = undefined;
    if (this.isClosing) return;
    this.report('the connection broke');
    this.listeners.onLost();
  }

  private report(problem: string | undefined) {
    if (!this.isClosing) this.outage.begin(`does not hear Redis: ${problem}`);
  }
}
