import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { isRedisOutage } from '#libs/database';
import type { TabBus } from '../bus/tab-bus.js';
import { MAX_TABS_PER_ACCOUNT, type Tab } from '../protocol/tab.js';
import { ReplicaBurial } from './dead-replica-cleanup.redis.js';
import { type Place, ReplicaPlace } from './replica-place.redis.js';
import { TabLeftovers } from './pending-removals.redis.js';
import { oldestFirst } from './tab-order.js';
import { accountsAt, fieldOf, REPLICAS, tabsOf } from './tab-presence-keys.js';
import { defineTabCommands } from './tab-presence-scripts.redis.js';
import { TabPresence } from './tab-presence.js';

export interface PresenceTimes {
  /** How often a replica shows that it is alive, and looks for dead ones. */
  readonly beatMs: number;
  /** A replica that was not heard of for so long is dead; the same for all of them. */
  readonly deadMs: number;
}

const TIMES: PresenceTimes = { beatMs: 5_000, deadMs: 20_000 };

/**
 * A hash of tabs per account in Redis, and of every replica when it was last heard of and what accounts
 * it has tabs of. Tabs of a replica that was not heard of for `deadMs` do not count any more; the next
 * beat of any other takes them away and says `tabs` to their accounts.
 *
 * `onLost` is told when this replica finds that it was given up, that Redis has forgotten it, or that
 * Redis has been out of reach for `deadMs`, so that others may give it up. It has a new id by then: what
 * it added before can no longer be updated or removed, others bury it. Adding works at once. A tab whose
 * `add` or `remove` rejected, so that Redis may hold it, is removed by a later beat.
 */
export class RedisTabPresence extends TabPresence implements OnApplicationShutdown {
  private readonly logger = new Logger('TabPresence');
  private readonly replica: ReplicaPlace;
  private readonly burial: ReplicaBurial;
  private readonly leftovers: TabLeftovers;
  private readonly beating: NodeJS.Timeout;
  private isTidying = false;

  constructor(
    private readonly redis: Redis,
    bus: TabBus,
    private readonly times = TIMES,
  ) {
    super();
    defineTabCommands(redis);
    this.replica = new ReplicaPlace(redis, times.deadMs);
    this.burial = new ReplicaBurial(redis, bus);
    this.leftovers = new TabLeftovers(redis, bus);
    this.beating = setInterval(() => void this.beat(), times.beatMs).unref();
  }

  override async add(userId: string, tab: Tab): Promise<boolean> {
    const added = await this.addAt(this.replica.current, userId, tab);
    return added ?? this.add(userId, tab);
  }

  override async update(userId: string, tab: Tab): Promise<void> {
    const field = fieldOf(this.replica.current.id, tab.id);
    await this.redis.tabsUpdate(tabsOf(userId), field, JSON.stringify(tab));
  }

  override async remove(userId: string, tabId: string): Promise<void> {
    await this.leftovers.remove({ replicaId: this.replica.current.id, userId, tabId });
  }

  override async list(userId: string): Promise<Tab[]> {
    const stored = await this.redis.tabsList(REPLICAS, tabsOf(userId), this.times.deadMs);
    return stored.map((text) => JSON.parse(text) as Tab).toSorted(oldestFirst);
  }

  override onLost(listener: () => void): void {
    this.replica.losses.join(listener);
  }

  /** Leaves no trace of this replica in Redis. */
  async onApplicationShutdown() {
    clearInterval(this.beating);
    await this.quietly(this.burial.bury(this.replica.current.id));
  }

  /** Undefined: the place was lost, before or meanwhile, and the tab with it. */
  private async addAt(place: Place, userId: string, tab: Tab): Promise<boolean | undefined> {
    const askedAt = performance.now();
    const added = await this.askToAdd(place, userId, tab);
    if (added === null) this.replica.lose(place, 'another replica gave it up');
    if (place !== this.replica.current) return undefined;
    if (!place.isKnown) this.replica.heard(place, askedAt);
    if (added === 1) this.leftovers.forget({ replicaId: place.id, userId, tabId: tab.id });
    return added === 1;
  }

  private async askToAdd(place: Place, userId: string, tab: Tab) {
    const keys = [REPLICAS, tabsOf(userId), accountsAt(place.id)] as const;
    const caller = [this.times.deadMs, place.id, place.isKnown ? 1 : 0] as const;
    const added = [userId, fieldOf(place.id, tab.id), JSON.stringify(tab)] as const;
    try {
      return await this.redis.tabsAdd(...keys, ...caller, ...added, MAX_TABS_PER_ACCOUNT);
    } catch (error) {
      this.leftovers.remember({ replicaId: place.id, userId, tabId: tab.id });
      throw error;
    }
  }

  private async beat() {
    const dead = await this.replica.renew();
    if (this.isTidying) return;
    this.isTidying = true;
    await this.quietly(this.tidy(dead));
    this.isTidying = false;
  }

  private async tidy(dead: readonly string[]) {
    await this.leftovers.clear(this.replica.current.id);
    for (const replicaId of dead) await this.burial.bury(replicaId);
  }

  /** What Redis did not do now is done by a later beat, of this replica or of another. */
  private async quietly(work: Promise<void>) {
    await work.catch((error: unknown) => {
      if (!isRedisOutage(error)) this.logger.error(error);
    });
  }
}
