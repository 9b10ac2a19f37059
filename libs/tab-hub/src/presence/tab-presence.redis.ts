import { randomBytes } from 'node:crypto';
import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { AccountTurns, isRedisOutage } from '#libs/platform';
import { Emitter } from '../bus/emitter.js';
import { type TabBus, TOOLS_CHANGED } from '../bus/tab-bus.js';
import type { PageTool } from '../protocol/page-tool.js';
import { MAX_TABS_PER_ACCOUNT, type Tab, type TabTools } from '../protocol/tab.js';
import { formatNames, formatTab, parseNames, parseTab, ToolLists } from './stored-tab.js';
import { MAX_FORMER_NAMES, oldestFirst, TabPresence } from './tab-presence.js';
import {
  accountsAt,
  defineTabCommands,
  fieldOf,
  namesOf,
  ownedBy,
  REPLICAS,
  tabsOf,
  toolsOf,
} from './tab-presence.scripts.redis.js';

/** A replica under one id, until it is given up for dead. */
export interface Lease {
  readonly id: string;
  /** Whether Redis is known to have a record of it. */
  isKnown: boolean;
  /** When the call was made that last showed Redis that it is alive; `performance.now()`. */
  renewedAt: number;
}

/** This process' lease among the replicas; it takes a new one whenever the others may have given up the old. */
export class ReplicaLease {
  readonly losses = new Emitter((error) => this.logger.error(error));
  private readonly logger = new Logger('TabPresence');
  private lease = newLease();

  constructor(
    private readonly redis: Redis,
    private readonly deadMs: number,
  ) {}

  get current(): Lease {
    return this.lease;
  }

  /** Shows Redis that this replica is alive; never rejects. Returns the ids of dead replicas, some at a time. */
  async renew(): Promise<readonly string[]> {
    const { lease } = this;
    const askedAt = performance.now();
    const isKnown = lease.isKnown ? 1 : 0;
    try {
      const dead = await this.redis.tabsHeartbeat(REPLICAS, this.deadMs, lease.id, isKnown);
      if (dead === null) this.lose(lease, 'another replica gave it up');
      else this.renewed(lease, askedAt);
      return dead ?? [];
    } catch (error) {
      if (!isRedisOutage(error)) this.logger.error(error);
      const isOverdue = performance.now() - lease.renewedAt > this.deadMs;
      if (lease.isKnown && isOverdue) this.lose(lease, 'Redis has been away for too long');
      return [];
    }
  }

  renewed(lease: Lease, askedAt: number): void {
    lease.isKnown = true;
    lease.renewedAt = Math.max(lease.renewedAt, askedAt);
  }

  /** Does nothing when `lease` has been given up already. */
  lose(lease: Lease, reason: string): void {
    if (lease !== this.lease) return;
    this.lease = newLease();
    this.logger.warn(`this replica has lost its tabs: ${reason}`);
    this.losses.emit();
  }
}

const newLease = (): Lease => ({
  id: randomBytes(12).toString('base64url'),
  isKnown: false,
  renewedAt: performance.now(),
});

const ACCOUNTS_AT_ONCE = 64;

/**
 * Takes away what a replica has left and tells its accounts. The record of what is to be done goes
 * last, so whoever cleans up after a crash in between, or at the same time, forgets nobody; an account
 * may be told twice.
 */
export class DeadReplicaCleanup {
  constructor(
    private readonly redis: Redis,
    private readonly bus: TabBus,
  ) {}

  async run(replicaId: string): Promise<void> {
    const accounts = accountsAt(replicaId);
    for (;;) {
      const userIds = await this.redis.srandmember(accounts, ACCOUNTS_AT_ONCE);
      if (userIds.length === 0) break;
      await Promise.all(userIds.map((userId) => this.removeTabs(userId, replicaId)));
      await this.redis.srem(accounts, ...userIds);
    }
    await this.redis.zrem(REPLICAS, replicaId);
  }

  private async removeTabs(userId: string, replicaId: string) {
    const keys = [tabsOf(userId), toolsOf(userId), namesOf(userId)] as const;
    await this.redis.tabsClear(...keys, ownedBy(replicaId));
    await this.bus.publish(userId, TOOLS_CHANGED);
  }
}

interface Removal {
  readonly replicaId: string;
  readonly userId: string;
  readonly tabId: string;
}

/**
 * Removes tabs of this replica, and keeps those that Redis may still have, because it did not
 * answer: as long as the replica lives, nobody else would take them away.
 */
export class PendingRemovals {
  private readonly pending = new Map<string, Removal>();

  constructor(
    private readonly redis: Redis,
    private readonly bus: TabBus,
  ) {}

  add(removal: Removal): void {
    this.pending.set(keyOf(removal), removal);
  }

  /** The tab is there to stay. */
  cancel(tab: Removal): void {
    this.pending.delete(keyOf(tab));
  }

  /** Returns whether it was there. Rejects when Redis does not answer; then a later `retry` does it. */
  async remove(tab: Removal): Promise<boolean> {
    const { replicaId, userId, tabId } = tab;
    const field = fieldOf(replicaId, tabId);
    const offered = [toolsOf(userId), namesOf(userId)] as const;
    const keys = [tabsOf(userId), accountsAt(replicaId), ...offered] as const;
    try {
      const removed = await this.redis.tabsRemove(...keys, field, ownedBy(replicaId), userId);
      this.pending.delete(keyOf(tab));
      return removed === 1;
    } catch (error) {
      this.add(tab);
      throw error;
    }
  }

  /** Removes what is pending of `replicaId` and tells the accounts; what is left of others goes with the cleanup of theirs. */
  async retry(replicaId: string): Promise<void> {
    for (const removal of Array.from(this.pending.values())) {
      if (removal.replicaId !== replicaId) this.pending.delete(keyOf(removal));
      else if (await this.remove(removal)) {
        await this.bus.publish(removal.userId, TOOLS_CHANGED);
      }
    }
  }
}

const keyOf = ({ replicaId, userId, tabId }: Removal) => `${fieldOf(replicaId, tabId)}:${userId}`;

export interface PresenceTimes {
  /** How often a replica shows that it is alive, and looks for dead ones. */
  readonly heartbeatMs: number;
  /** A replica that did not renew its lease for so long is dead; the same for all of them. */
  readonly deadMs: number;
}

const TIMES: PresenceTimes = { heartbeatMs: 5_000, deadMs: 20_000 };

/**
 * A hash of tabs per account in Redis, another one of what their pages offer, and of every replica when it last renewed its lease and what accounts
 * it has tabs of. Tabs of a replica that did not renew its lease for `deadMs` do not count any more; the next
 * heartbeat of any other takes them away and publishes `tabs` for their accounts.
 *
 * `onLost` is told when this replica finds that it was given up, that Redis has forgotten it, or that
 * Redis has been out of reach for `deadMs`, so that others may give it up. It has a new id by then: what
 * it added before can no longer be updated or removed, others clean up after it. Adding works at once. A tab whose
 * `add` or `remove` rejected, so that Redis may hold it, is removed by a later heartbeat.
 */
export class RedisTabPresence extends TabPresence implements OnApplicationShutdown {
  private readonly logger = new Logger('TabPresence');
  private readonly replica: ReplicaLease;
  private readonly cleanup: DeadReplicaCleanup;
  private readonly removals: PendingRemovals;
  private readonly lists = new ToolLists();
  private readonly timer: NodeJS.Timeout;
  private isCleaning = false;

  constructor(
    private readonly redis: Redis,
    bus: TabBus,
    private readonly times = TIMES,
    /** The lists of all tabs of an account are parsed in its turns. */
    private readonly turns = new AccountTurns(),
  ) {
    super();
    defineTabCommands(redis);
    this.replica = new ReplicaLease(redis, times.deadMs);
    this.cleanup = new DeadReplicaCleanup(redis, bus);
    this.removals = new PendingRemovals(redis, bus);
    this.timer = setInterval(() => void this.heartbeat(), times.heartbeatMs).unref();
  }

  override async add(userId: string, tab: Tab): Promise<Tab[] | undefined> {
    const tabs = await this.addAt(this.replica.current, userId, tab);
    return tabs === null ? this.add(userId, tab) : tabs;
  }

  override async update(userId: string, tab: Tab): Promise<void> {
    const field = fieldOf(this.replica.current.id, tab.id);
    await this.redis.tabsUpdate(tabsOf(userId), field, formatTab(tab, Date.now()));
  }

  override async offer(userId: string, tab: Tab, tools: readonly PageTool[]): Promise<void> {
    const field = fieldOf(this.replica.current.id, tab.id);
    const known = [formatTab(tab, Date.now()), this.lists.format(tools)] as const;
    const names = [formatNames(tab, tools), MAX_FORMER_NAMES] as const;
    await this.redis.tabsOffer(...this.keysOf(userId), field, ...known, ...names);
  }

  override async remove(userId: string, tabId: string): Promise<void> {
    await this.removals.remove({ replicaId: this.replica.current.id, userId, tabId });
  }

  override async list(userId: string): Promise<Tab[]> {
    const stored = await this.redis.tabsList(REPLICAS, tabsOf(userId), this.times.deadMs);
    return tabsIn(stored);
  }

  override async tools(userId: string): Promise<TabTools[]> {
    const stored = await this.read(userId);
    await this.turns.take(userId);
    const found = this.parse(stored);
    return found.toSorted((one, other) => oldestFirst(one.tab, other.tab));
  }

  override async find(userId: string, tabId: string): Promise<TabTools | undefined> {
    const [found] = this.parse(await this.read(userId, tabId));
    return found;
  }

  override onLost(listener: () => void): void {
    this.replica.losses.on(listener);
  }

  /** Leaves no trace of this replica in Redis. */
  async onApplicationShutdown() {
    clearInterval(this.timer);
    await this.quietly(this.cleanup.run(this.replica.current.id));
  }

  /** Each tab, followed by its tools and their names. */
  private read(userId: string, ...tabId: [string?]): Promise<string[]> {
    return this.redis.tabsTools(...this.keysOf(userId), ...tabId);
  }

  private keysOf(userId: string) {
    const keys = [tabsOf(userId), toolsOf(userId), namesOf(userId)] as const;
    return [REPLICAS, ...keys, this.times.deadMs] as const;
  }

  private parse(stored: readonly string[]): TabTools[] {
    const found: TabTools[] = [];
    for (let n = 0; n < stored.length; n += 3) {
      const [known = '', tools = '', names = ''] = stored.slice(n, n + 3);
      found.push({ ...parseTab(known), tools: this.lists.parse(tools), ...parseNames(names) });
    }
    return found;
  }

  /** Null: the lease was lost, before or meanwhile, and the tab with it. */
  private async addAt(lease: Lease, userId: string, tab: Tab): Promise<Tab[] | undefined | null> {
    const askedAt = performance.now();
    const added = await this.askToAdd(lease, userId, tab);
    if (added === null) this.replica.lose(lease, 'another replica gave it up');
    if (lease !== this.replica.current) return null;
    if (!lease.isKnown) this.replica.renewed(lease, askedAt);
    if (!added) return undefined;
    this.removals.cancel({ replicaId: lease.id, userId, tabId: tab.id });
    return tabsIn(added);
  }

  private async askToAdd(lease: Lease, userId: string, tab: Tab) {
    const offered = [toolsOf(userId), namesOf(userId)] as const;
    const keys = [REPLICAS, tabsOf(userId), accountsAt(lease.id), ...offered] as const;
    const caller = [this.times.deadMs, lease.id, lease.isKnown ? 1 : 0] as const;
    const known = formatTab(tab, Date.parse(tab.connectedAt));
    const added = [userId, fieldOf(lease.id, tab.id), known] as const;
    try {
      return await this.redis.tabsAdd(...keys, ...caller, ...added, MAX_TABS_PER_ACCOUNT);
    } catch (error) {
      this.removals.add({ replicaId: lease.id, userId, tabId: tab.id });
      throw error;
    }
  }

  private async heartbeat() {
    const dead = await this.replica.renew();
    if (this.isCleaning) return;
    this.isCleaning = true;
    await this.quietly(this.cleanUp(dead));
    this.isCleaning = false;
  }

  private async cleanUp(dead: readonly string[]) {
    await this.removals.retry(this.replica.current.id);
    for (const replicaId of dead) await this.cleanup.run(replicaId);
  }

  /** What Redis did not do now is done by a later heartbeat, of this replica or of another. */
  private async quietly(work: Promise<void>) {
    await work.catch((error: unknown) => {
      if (!isRedisOutage(error)) this.logger.error(error);
    });
  }
}

const tabsIn = (stored: readonly string[]) =>
  stored.map((text) => parseTab(text).tab).toSorted(oldestFirst);
