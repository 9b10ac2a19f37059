import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { Emitter } from './emitter.js';
import { TabBusConnection } from './tab-bus-connection.redis.js';
import { TabBusDownError } from './tab-bus-down.error.js';
import { parseTabBusMessage } from './tab-bus-message.js';
import { TabBus, type TabBusMessage, type Unsubscribe } from './tab-bus.js';

interface Channel {
  readonly emitter: Emitter<TabBusMessage>;
  /** Settles with the answer to SUBSCRIBE. */
  readonly subscribed: Promise<void>;
}

/**
 * A Redis channel per account, which this replica is subscribed to while it holds a subscription for
 * the account; all of them on one connection beside the one for commands. Commands on a connection
 * are done in the order they were written, so SUBSCRIBE and UNSUBSCRIBE need no further waiting.
 *
 * When that connection breaks, however shortly, every subscription of this replica is void: it gets
 * no message any more, ending it does nothing, and one that is being made rejects. The listeners of
 * `onLost` are told then, once. New subscriptions work as soon as Redis is back; until then
 * `subscribe` and `publish` reject with an error that `isRedisOutage` knows. `publish` counts a
 * replica that died without a word until Redis notices. Ending a subscription never rejects.
 */
export class RedisTabBus extends TabBus implements OnApplicationShutdown {
  private readonly logger = new Logger(RedisTabBus.name);
  private readonly channels = new Map<string, Channel>();
  private readonly losses = new Emitter((error) => this.logger.error(error));
  private readonly connection: TabBusConnection;

  constructor(private readonly redis: Redis) {
    super();
    this.connection = new TabBusConnection(redis, {
      onMessage: (name, text) => this.onMessage(name, text),
      onLost: () => this.onConnectionLost(),
    });
  }

  override async subscribe(
    userId: string,
    listener: (message: TabBusMessage) => void,
  ): Promise<Unsubscribe> {
    await this.connection.whenOpen();
    const name = this.channelOf(userId);
    const channel = this.channels.get(name) ?? this.open(name);
    const off = channel.emitter.on(listener);
    await channel.subscribed;
    if (this.channels.get(name) !== channel) throw new TabBusDownError();
    return async () => {
      off();
      if (channel.emitter.isEmpty) await this.close(name, channel);
    };
  }

  override async publish(userId: string, message: TabBusMessage): Promise<number> {
    return this.redis.publish(this.channelOf(userId), JSON.stringify(message));
  }

  override onLost(listener: () => void): void {
    this.losses.on(listener);
  }

  /** Nobody is told that anything was lost. */
  async onApplicationShutdown() {
    this.channels.clear();
    await this.connection.close();
  }

  private open(name: string): Channel {
    const emitter = new Emitter<TabBusMessage>((error) => this.logger.error(error));
    const channel = { emitter, subscribed: this.connection.subscribe(name) };
    this.channels.set(name, channel);
    channel.subscribed.catch(() => this.close(name, channel));
    return channel;
  }

  /** A SUBSCRIBE that was not answered in time may still have worked, so it is taken back as well. */
  private async close(name: string, channel: Channel) {
    if (this.channels.get(name) !== channel) return;
    this.channels.delete(name);
    await this.connection.unsubscribe(name);
  }

  private onMessage(name: string, text: string) {
    const channel = this.channels.get(name);
    if (channel === undefined) return;
    const message = parseTabBusMessage(text);
    if (message) channel.emitter.emit(message);
    else this.logger.warn('left out what is no message of the tab bus');
  }

  private onConnectionLost() {
    this.channels.clear();
    this.losses.emit();
  }

  /** Logical databases share their channels, so the number of ours is part of the name. */
  private channelOf(userId: string) {
    return `tabs:${this.redis.options.db ?? 0}:${userId}`;
  }
}
