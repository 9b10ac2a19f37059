import type { Redis } from 'ioredis';
import { defineListenerCommands } from './account-listeners-scripts.redis.js';
import type { Post } from './outbox.js';

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
