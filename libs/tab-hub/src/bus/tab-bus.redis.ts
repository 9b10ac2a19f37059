import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { AccountListeners } from './account-listeners.redis.js';
import { Emitter } from './emitter.js';
import { Outbox } from './outbox.js';
import { Rounds } from './rounds.js';
import { TabBusConnection } from './tab-bus-connection.redis.js';
import { TabBusDownError } from './tab-bus-down.error.js';
import { formatPosted, parseBatch } from './tab-bus-message.js';
import { TabBus, type TabBusMessage, type Unsubscribe } from './tab-bus.js';

export interface BusTimes {
  /** How often it looks whether Redis still knows what this replica listens to. */
  readonly beatMs: number;
  /** Redis forgets what a replica listened to that did not say so again for so long. */
  readonly lifetimeMs: number;
}

const TIMES: BusTimes = { beatMs: 5_000, lifetimeMs: 3_600_000 };

/** Each account has so many chances to be renewed before it is forgotten. */
const ROUNDS_IN_A_LIFETIME = 3;

interface Account {
  readonly emitter: Emitter<TabBusMessage>;
  /** What this replica was called when the subscription began. */
  readonly listener: string;
  /** Settles with Redis' answer. */
  readonly listed: Promise<number>;
  isListed: boolean;
}

/**
 * A Redis channel per replica, and a set per account of the replicas that listen to it. What is published
 * leaves once a turn of the event loop, in one piece for each replica; this replica's own subscriptions get it
 * without Redis, even when `publish` rejects.
 *
 * When the connection that hears the others breaks, however shortly, or Redis has forgotten who listens,
 * every subscription of this replica is void: it gets no message any more, ending it does nothing, and one that
 * is being made rejects. The listeners of `onLost` are told then, once. New subscriptions work as soon as
 * Redis is back; until then `subscribe` and `publish` reject with an error that `isRedisOutage` knows. `publish`
 * counts a replica that died without a word until Redis notices. Ending a subscription never rejects.
 */
export class RedisTabBus extends TabBus implements OnApplicationShutdown {
  private readonly logger = new Logger(RedisTabBus.name);
  private readonly accounts = new Map<string, Account>();
  private readonly losses = new Emitter((error) => this.logger.error(error));
  private readonly connection: TabBusConnection;
  private readonly listeners: AccountListeners;
  private readonly outbox: Outbox;
  private readonly renewals: Rounds<string>;
  private readonly timer: NodeJS.Timeout;

  constructor(redis: Redis, { beatMs, lifetimeMs } = TIMES) {
    super();
    this.listeners = new AccountListeners(redis, lifetimeMs);
    this.outbox = new Outbox((posts) => this.listeners.publish(posts, this.connection.id ?? ''));
    this.connection = new TabBusConnection(redis, {
      onText: (text) => this.onText(text),
      onLost: () => this.onConnectionLost(),
    });
    this.renewals = new Rounds(lifetimeMs / ROUNDS_IN_A_LIFETIME / beatMs);
    this.timer = setInterval(() => void this.renew(), beatMs).unref();
  }

  override async subscribe(
    userId: string,
    listener: (message: TabBusMessage) => void,
  ): Promise<Unsubscribe> {
    const id = await this.connection.whenOpen();
    const account = this.accounts.get(userId) ?? this.open(userId, id);
    const off = account.emitter.on(listener);
    await account.listed;
    if (this.accounts.get(userId) !== account) throw new TabBusDownError();
    return async () => {
      off();
      if (account.emitter.isEmpty) await this.close(userId, account);
    };
  }

  override async publish(userId: string, message: TabBusMessage): Promise<number> {
    const account = this.accounts.get(userId);
    if (account) queueMicrotask(() => account.emitter.emit(message));
    const others = await this.outbox.post({ userId, text: formatPosted(userId, message) });
    return account ? others + 1 : others;
  }

  override onLost(listener: () => void): void {
    this.losses.on(listener);
  }

  /** Nobody is told that anything was lost. */
  async onApplicationShutdown() {
    clearInterval(this.timer);
    const accounts = [...this.accounts];
    await Promise.all(accounts.map(([userId, account]) => this.close(userId, account)));
    await this.connection.close();
  }

  private open(userId: string, listener: string): Account {
    const emitter = new Emitter<TabBusMessage>((error) => this.logger.error(error));
    const listed = this.listeners.add([userId], listener);
    const account: Account = { emitter, listener, listed, isListed: false };
    this.accounts.set(userId, account);
    listed.then(
      () => (account.isListed = true),
      () => this.close(userId, account),
    );
    return account;
  }

  /** Commands are done in the order they were written, so one that was not answered in time is taken back as well. */
  private async close(userId: string, account: Account) {
    if (this.accounts.get(userId) !== account) return;
    this.accounts.delete(userId);
    await this.unlist(userId, account.listener);
  }

  /** What Redis does not do now is done when something comes for the account, or when its lifetime is over. */
  private async unlist(userId: string, listener: string) {
    await this.listeners.remove(userId, listener).catch(() => undefined);
  }

  private onText(text: string) {
    for (const heard of parseBatch(text)) {
      if (heard) this.onHeard(heard.userId, heard.message);
      else this.logger.warn('left out what is no message of the tab bus');
    }
  }

  private onHeard(userId: string, message: TabBusMessage) {
    const account = this.accounts.get(userId);
    if (account) account.emitter.emit(message);
    else if (this.connection.id !== undefined) void this.unlist(userId, this.connection.id);
  }

  private async renew() {
    const { id } = this.connection;
    const due = this.renewals.next(() => this.accounts.keys());
    const listed = due.filter((userId) => this.accounts.get(userId)?.isListed);
    if (id === undefined || listed.length === 0) return;
    const forgotten = await this.listeners.add(listed, id).catch(() => 0);
    if (forgotten > 0) this.connection.reopen('Redis has forgotten what this replica listens to');
  }

  private onConnectionLost() {
    this.accounts.clear();
    this.losses.emit();
  }
}
