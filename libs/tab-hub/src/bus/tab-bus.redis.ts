import { EventEmitter, once } from 'node:events';
import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Redis, Result } from 'ioredis';
import { generateId } from '#libs/accounts';
import { closeRedis, OutageLog, REDIS_BEAT_MS, RedisHeartbeat, subscriberOf } from '#libs/platform';
import { Emitter } from './emitter.js';
import {
  formatPosted,
  parseBatch,
  TabBus,
  TabBusDownError,
  type TabBusMessage,
} from './tab-bus.js';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    tabsListen(...args: [count: number, ...rest: (string | number)[]]): Result<number, Context>;
    tabsPublish(...args: [count: number, ...rest: string[]]): Result<number[], Context>;
  }
}

const LISTEN = `
  local added = 0
  for _, listeners in ipairs(KEYS) do
    added = added + redis.call('SADD', listeners, ARGV[1])
    redis.call('PEXPIRE', listeners, ARGV[2])
  end
  return added`;

/** Each listener gets its messages in one piece, in order. A listener whose channel has no subscriber is gone. */
const PUBLISH = `
  local sender, prefix = ARGV[1], ARGV[2]
  local listenersOf, batches, counts = {}, {}, {}
  for n, key in ipairs(KEYS) do
    listenersOf[key] = listenersOf[key] or redis.call('SMEMBERS', key)
    counts[n] = 0
    for _, listener in ipairs(listenersOf[key]) do
      if listener ~= sender then
        batches[listener] = batches[listener] or {}
        table.insert(batches[listener], n)
      end
    end
  end
  for listener, messages in pairs(batches) do
    local texts = {}
    for i, n in ipairs(messages) do texts[i] = ARGV[n + 2] end
    local heard = redis.call('PUBLISH', prefix .. listener, '[' .. table.concat(texts, ',') .. ']')
    for _, n in ipairs(messages) do
      if heard > 0 then counts[n] = counts[n] + 1 else redis.call('SREM', KEYS[n], listener) end
    end
  end
  return counts`;

const listenersOf = (userId: string) => `tabs:listeners:${userId}`;

/** A channel is this and a listener id. The number of the logical database is part of it, since those share channels. */
const channelPrefix = ({ options: { keyPrefix = '', db = 0 } }: Redis) => `${keyPrefix}tabs:${db}:`;

const OPENING_MS = 1_000;

/**
 * The connection on which this replica hears the others. With each reconnect it has another channel: nothing that was
 * meant for the one before comes late, and publishers do not count that one any more.
 */
class TabBusSubscriber extends EventEmitter<{ open: []; text: [text: string]; lost: [] }> {
  /** What the channel is named after; undefined while nothing is heard. */
  listenerId: string | undefined;
  private readonly outage = new OutageLog(new Logger('TabBus'));
  private readonly redis: Redis;
  readonly heartbeat: RedisHeartbeat;
  private opening: Promise<void> | undefined;
  private isClosing = false;

  constructor(commands: Redis) {
    super();
    this.redis = subscriberOf(commands, 'gatehouse-tab-bus');
    this.heartbeat = new RedisHeartbeat(this.redis);
    this.redis.on('ready', () => void this.listen());
    this.redis.on('close', () => this.onClosed());
    this.redis.on('error', ({ message, code }: NodeJS.ErrnoException) =>
      this.report(message || code),
    );
    this.redis.on('message', (_channel: string, text: string) => this.emit('text', text));
    this.redis.connect().catch(() => undefined);
  }

  /** The listener id; waits up to a second while the connection is being opened. @throws TabBusDownError */
  async whenOpen(): Promise<string> {
    if (this.isClosing) throw new TabBusDownError();
    if (this.listenerId === undefined) await (this.opening ??= this.opened());
    if (this.listenerId === undefined) throw new TabBusDownError();
    return this.listenerId;
  }

  reopen(reason: string): void {
    this.report(reason);
    this.redis.disconnect(true);
  }

  async close(): Promise<void> {
    this.isClosing = true;
    await closeRedis(this.redis);
  }

  private async listen() {
    const id = generateId();
    try {
      await this.redis.subscribe(channelPrefix(this.redis) + id);
    } catch {
      if (this.redis.status === 'ready') this.redis.disconnect(true);
      return;
    }
    this.listenerId = id;
    this.outage.end('hears Redis again');
    this.emit('open');
  }

  private async opened() {
    const signal = AbortSignal.timeout(OPENING_MS);
    await once(this, 'open', { signal }).catch(() => undefined);
    this.opening = undefined;
  }

  private onClosed() {
    if (this.listenerId === undefined) return;
    this.listenerId = undefined;
    if (this.isClosing) return;
    this.report('the connection broke');
    this.emit('lost');
  }

  private report(problem: string | undefined) {
    if (!this.isClosing) this.outage.begin(`does not hear Redis: ${problem}`);
  }
}

export interface Post {
  readonly userId: string;
  readonly text: string;
}

interface Waiting extends Post {
  readonly resolve: (reached: number) => void;
  readonly reject: (error: unknown) => void;
}

const MAX_POSTS = 512;
const MAX_CHARACTERS = 1024 * 1024;
const MAX_WAITING_CHARACTERS = 16 * MAX_CHARACTERS;
const POST_CHARACTERS = 512;

/**
 * Sends together, and in order, what is posted in one turn of the event loop; when a batch fails, all that waits fails
 * with it. At most 16 Mi characters wait, where each post counts for 512 beside its text.
 */
export class PublishBatcher {
  private readonly waiting: Waiting[] = [];
  private waitingCharacters = 0;
  private isSending = false;

  /** `send` gets at most 512 posts, and 1 Mi characters unless one post has more; it resolves with a number for each. */
  constructor(private readonly send: (posts: readonly Post[]) => Promise<readonly number[]>) {}

  /** Resolves with the number that `send` has for it; rejects with TabBusDownError when there is no room for it. */
  async post({ userId, text }: Post): Promise<number> {
    const size = text.length + POST_CHARACTERS;
    if (this.waitingCharacters + size > MAX_WAITING_CHARACTERS) throw new TabBusDownError();
    this.waitingCharacters += size;
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    this.waiting.push({ userId, text, resolve, reject });
    if (!this.isSending) setImmediate(() => void this.drain());
    this.isSending = true;
    return promise;
  }

  private async drain() {
    while (this.waiting.length > 0) {
      const batch = this.take(this.countOfBatch());
      try {
        const reached = await this.send(batch);
        for (const [n, { resolve }] of batch.entries()) resolve(reached[n] ?? 0);
      } catch (error) {
        for (const { reject } of [...batch, ...this.take(this.waiting.length)]) reject(error);
      }
    }
    this.isSending = false;
  }

  private take(count: number) {
    const taken = this.waiting.splice(0, count);
    for (const { text } of taken) this.waitingCharacters -= text.length + POST_CHARACTERS;
    return taken;
  }

  private countOfBatch() {
    let characters = 0;
    const count = this.waiting.findIndex(({ text }, n) => {
      characters += text.length;
      return n === MAX_POSTS || (n > 0 && characters > MAX_CHARACTERS);
    });
    return count === -1 ? this.waiting.length : count;
  }
}

/** How long Redis knows that a replica listens to an account after it was last renewed. */
const LIFETIME_MS = 3_600_000;
const RENEW_EVERY_MS = 5_000;
const RENEWALS_IN_A_LIFETIME = 3;

interface Account {
  readonly emitter: Emitter<TabBusMessage>;
  /** The listener id of this replica when the subscription began. */
  readonly listenerId: string;
  readonly listed: Promise<number>;
  isListed: boolean;
}

/**
 * A Redis channel per replica, and a set per account of the replicas that listen to it. What is published leaves once
 * a turn of the event loop, in one piece for each replica; this replica's own subscriptions get it even when `publish`
 * rejects. When the connection that hears the others breaks, or Redis has forgotten who listens, every subscription of
 * this replica is void, one that is being made rejects, and the listeners of `onLost` are told once. `publish` counts
 * a replica that crashed until Redis notices. Ending a subscription never rejects.
 */
export class RedisTabBus extends TabBus implements OnApplicationShutdown {
  private readonly logger = new Logger(RedisTabBus.name);
  private readonly accounts = new Map<string, Account>();
  private readonly losses = new Emitter((error) => this.logger.error(error));
  private readonly batcher = new PublishBatcher((posts) => this.send(posts));
  private readonly subscriber: TabBusSubscriber;

  constructor(
    private readonly redis: Redis,
    private readonly lifetimeMs = LIFETIME_MS,
  ) {
    super();
    redis.defineCommand('tabsListen', { lua: LISTEN });
    redis.defineCommand('tabsPublish', { lua: PUBLISH });
    this.subscriber = new TabBusSubscriber(redis);
    this.subscriber.on('text', (text) => this.onText(text));
    this.subscriber.on('lost', () => {
      this.accounts.clear();
      this.losses.emit();
    });
  }

  override async subscribe(userId: string, listener: (message: TabBusMessage) => void) {
    const listenerId = await this.subscriber.whenOpen();
    const account = this.accounts.get(userId) ?? this.open(userId, listenerId);
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
    const others = await this.batcher.post({ userId, text: formatPosted(userId, message) });
    return account ? others + 1 : others;
  }

  override onLost(listener: () => void): void {
    this.losses.on(listener);
  }

  @Interval('tab-bus-connection', REDIS_BEAT_MS)
  beat(): Promise<void> {
    return this.subscriber.heartbeat.beat();
  }

  /** The listeners of `onLost` are not told. */
  async onApplicationShutdown() {
    const accounts = [...this.accounts];
    await Promise.all(accounts.map(([userId, account]) => this.close(userId, account)));
    await this.subscriber.close();
  }

  private open(userId: string, listenerId: string): Account {
    const emitter = new Emitter<TabBusMessage>((error) => this.logger.error(error));
    const listed = this.list([userId], listenerId);
    const account: Account = { emitter, listenerId, listed, isListed: false };
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
    await this.unlist(userId, account.listenerId);
  }

  /** This replica listens to these accounts, or still does. Resolves with how many of them Redis did not know of. */
  private async list(userIds: readonly string[], listenerId: string): Promise<number> {
    const keys = userIds.map(listenersOf);
    return this.redis.tabsListen(keys.length, ...keys, listenerId, this.lifetimeMs);
  }

  /** What Redis does not do now is done when something comes for the account, or when its lifetime is over. */
  private async unlist(userId: string, listenerId: string) {
    await this.redis.srem(listenersOf(userId), listenerId).catch(() => undefined);
  }

  private send(posts: readonly Post[]): Promise<readonly number[]> {
    const keys = posts.map(({ userId }) => listenersOf(userId));
    const texts = posts.map(({ text }) => text);
    const sender = this.subscriber.listenerId ?? '';
    const prefix = channelPrefix(this.redis);
    return this.redis.tabsPublish(keys.length, ...keys, sender, prefix, ...texts);
  }

  private onText(text: string) {
    for (const heard of parseBatch(text)) {
      const account = heard && this.accounts.get(heard.userId);
      const { listenerId } = this.subscriber;
      if (!heard) this.logger.warn('left out what is no message of the tab bus');
      else if (account) account.emitter.emit(heard.message);
      else if (listenerId !== undefined) void this.unlist(heard.userId, listenerId);
    }
  }

  /** Renews a share of the accounts at each beat, those whose last turn is the longest ago. */
  @Interval('tab-bus', RENEW_EVERY_MS)
  async renew() {
    const { size } = this.accounts;
    const share = (RENEW_EVERY_MS * RENEWALS_IN_A_LIFETIME) / this.lifetimeMs;
    let left = Math.min(size, Math.ceil(size * share));
    const due: string[] = [];
    for (const [userId, account] of this.accounts) {
      if (left === 0) break;
      left -= 1;
      this.accounts.delete(userId);
      this.accounts.set(userId, account);
      if (account.isListed) due.push(userId);
    }
    const { listenerId } = this.subscriber;
    if (listenerId === undefined || due.length === 0) return;
    const forgotten = await this.list(due, listenerId).catch(() => 0);
    if (forgotten > 0) this.subscriber.reopen('Redis has forgotten what this replica listens to');
  }
}
