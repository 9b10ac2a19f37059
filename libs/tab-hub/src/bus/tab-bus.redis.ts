import { randomBytes } from 'node:crypto';
import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis, Result } from 'ioredis';
import { FAIL_FAST, OutageLog, closeRedis, keepHeartbeat } from '#libs/platform';
import { Emitter } from './emitter.js';
import {
  formatPosted,
  parseBatch,
  TabBus,
  TabBusDownError,
  type TabBusMessage,
  type Unsubscribe,
} from './tab-bus.js';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    /** How many of these accounts it did not listen to before. */
    tabsListen(
      ...args: [count: number, ...keysAndRest: (string | number)[]]
    ): Result<number, Context>;
    /** Of each message, how many listeners it was sent to. */
    tabsPublish(...args: [count: number, ...keysAndRest: string[]]): Result<number[], Context>;
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

/** Makes the scripts of the commands about listeners of `redis`. */
export function defineListenerCommands(redis: Redis): void {
  redis.defineCommand('tabsListen', { lua: LISTEN });
  redis.defineCommand('tabsPublish', { lua: PUBLISH });
}

/** The replicas that listen to an account, by what their channels are named after. */
const listenersOf = (userId: string) => `tabs:listeners:${userId}`;

/** What the channels of replicas begin with. Logical databases share their channels, so the number of ours is part of it. */
const channelsOf = ({ options: { keyPrefix = '', db = 0 } }: Redis) => `${keyPrefix}tabs:${db}:`;

export const channelOf = (redis: Redis, listener: string) => channelsOf(redis) + listener;

/**
 * Which replicas listen to which accounts, and the way to them. It is in Redis, so that whoever listens by
 * now gets what is published now, whoever publishes it. A listener that does not say for `lifetimeMs` that
 * it still listens is forgotten, and one that is gone as soon as something is published for it.
 */
export class AccountListeners {
  constructor(
    private readonly redis: Redis,
    private readonly lifetimeMs: number,
  ) {
    defineListenerCommands(redis);
  }

  /** `listener` listens to these accounts, or still does. Returns to how many of them it did not. */
  async add(userIds: readonly string[], listener: string): Promise<number> {
    const keys = userIds.map(listenersOf);
    return this.redis.tabsListen(keys.length, ...keys, listener, this.lifetimeMs);
  }

  async remove(userId: string, listener: string): Promise<void> {
    await this.redis.srem(listenersOf(userId), listener);
  }

  /**
   * Sends every listener but `sender` a JSON array of the texts for its accounts. Returns how many
   * listeners each post reached.
   */
  async publish(posts: readonly Post[], sender: string): Promise<readonly number[]> {
    const keys = posts.map(({ userId }) => listenersOf(userId));
    const texts = posts.map(({ text }) => text);
    return this.redis.tabsPublish(keys.length, ...keys, sender, channelsOf(this.redis), ...texts);
  }
}

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
export class TabBusSubscriber {
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

/** Takes turns: some of a changing number at each step, and all that stay within `steps` steps. */
export class RoundRobin<Name> {
  private left: Name[] = [];
  private share = 0;

  constructor(private readonly steps: number) {}

  /** Whose turn it is; `all` is asked for at the beginning of each round. Some may be gone by now. */
  next(all: () => Iterable<Name>): readonly Name[] {
    if (this.left.length === 0) {
      this.left = [...all()];
      this.share = Math.ceil(this.left.length / this.steps);
    }
    return this.left.splice(0, this.share);
  }
}

/** What is to be sent to the other replicas that listen to an account. */
export interface Post {
  readonly userId: string;
  readonly text: string;
}

interface Waiting {
  readonly post: Post;
  readonly resolve: (reached: number) => void;
  readonly reject: (error: unknown) => void;
}

const MAX_POSTS = 512;
const MAX_CHARACTERS = 1024 * 1024;
/** What waits beyond this does not, whoever it is from: Redis takes less than there is to say. */
const MAX_WAITING_CHARACTERS = 16 * MAX_CHARACTERS;
/** What a post takes beside its text. */
const POST_CHARACTERS = 512;

/**
 * Sends together what is posted in one turn of the event loop, and in order: the next batch leaves when
 * the one before was answered. When one fails, all that waits fails with it. No more waits than 16 Mi
 * characters, each post counting for 512 beside its text.
 */
export class PublishBatcher {
  private readonly waiting: Waiting[] = [];
  private waitingCharacters = 0;
  private isSending = false;

  /** `send` gets 512 posts at most, and 1 Mi characters unless one post has more; it resolves with a number for each. */
  constructor(private readonly send: (posts: readonly Post[]) => Promise<readonly number[]>) {}

  /** Resolves with the number that `send` has for it; rejects with TabBusDownError when there is no room for it. */
  async post(post: Post): Promise<number> {
    if (this.waitingCharacters + sizeOf(post) > MAX_WAITING_CHARACTERS) throw new TabBusDownError();
    this.waitingCharacters += sizeOf(post);
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    this.waiting.push({ post, resolve, reject });
    if (!this.isSending) setImmediate(() => void this.drain());
    this.isSending = true;
    return promise;
  }

  private async drain() {
    while (this.waiting.length > 0) {
      const batch = this.take(this.countOfBatch());
      try {
        const reached = await this.send(batch.map(({ post }) => post));
        for (const [n, { resolve }] of batch.entries()) resolve(reached[n] ?? 0);
      } catch (error) {
        for (const { reject } of [...batch, ...this.take(this.waiting.length)]) reject(error);
      }
    }
    this.isSending = false;
  }

  private take(count: number) {
    const taken = this.waiting.splice(0, count);
    for (const { post } of taken) this.waitingCharacters -= sizeOf(post);
    return taken;
  }

  private countOfBatch() {
    let characters = 0;
    const isFull = ({ post }: Waiting, n: number) => {
      characters += post.text.length;
      return n === MAX_POSTS || (n > 0 && characters > MAX_CHARACTERS);
    };
    const count = this.waiting.findIndex(isFull);
    return count === -1 ? this.waiting.length : count;
  }
}

const sizeOf = ({ text }: Post) => text.length + POST_CHARACTERS;

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
  private readonly connection: TabBusSubscriber;
  private readonly listeners: AccountListeners;
  private readonly batcher: PublishBatcher;
  private readonly renewals: RoundRobin<string>;
  private readonly timer: NodeJS.Timeout;

  constructor(redis: Redis, { beatMs, lifetimeMs } = TIMES) {
    super();
    this.listeners = new AccountListeners(redis, lifetimeMs);
    this.batcher = new PublishBatcher((posts) =>
      this.listeners.publish(posts, this.connection.id ?? ''),
    );
    this.connection = new TabBusSubscriber(redis, {
      onText: (text) => this.onText(text),
      onLost: () => this.onConnectionLost(),
    });
    this.renewals = new RoundRobin(lifetimeMs / ROUNDS_IN_A_LIFETIME / beatMs);
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
    const others = await this.batcher.post({ userId, text: formatPosted(userId, message) });
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
