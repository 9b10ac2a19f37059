import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Redis } from 'ioredis';
import { generateId } from '#libs/accounts';
import { AccountTurns, isRedisOutage, Semaphore, whileWaiting } from '#libs/platform';
import { Emitter } from '../bus/emitter.js';
import { type TabBus, TOOLS_CHANGED } from '../bus/tab-bus.js';
import type { PageTool } from '../protocol/page-tool.js';
import { MAX_TABS_PER_ACCOUNT, type Tab, type TabTools } from '../protocol/tab.js';
import { formatTools, parseTools } from './stored-tools.js';
import { type OfferNotes, oldestFirst, TabPresence } from './tab-presence.js';
import {
  accountsAt,
  defineTabCommands,
  fieldOf,
  keysOf,
  ownedBy,
  REPLICAS,
  tabsOf,
} from './tab-presence.scripts.redis.js';

/** A tab as it is stored. Replicas of earlier versions store less, and show their pages all that there is. */
type StoredTab = Omit<Tab, 'toolNames'> & Partial<Tab> & { readonly lastFrameAt?: number };

const formatTab = (tab: Tab, lastFrameAt: number) =>
  JSON.stringify({ ...tab, lastFrameAt } satisfies StoredTab);

/** The tab, and when its page last said something, in epoch milliseconds. */
function parseTab(text: string): { readonly tab: Tab; readonly lastFrameAt: number } {
  const stored = JSON.parse(text) as StoredTab;
  const { id, title, url, connectedAt, toolNames = [] } = stored;
  const { lastFrameAt = Date.parse(connectedAt) } = stored;
  return { tab: { id, title, url, connectedAt, toolNames }, lastFrameAt };
}

/** An empty text for an offer without a note. */
const formatNote = (note: unknown) => (note === undefined ? '' : JSON.stringify(note));
const parseNote = (text: string): unknown => (text === '' ? undefined : JSON.parse(text));

/** By the fields of their tabs; `stored` is, of each, the field and the note. */
const parseNotes = (stored: readonly string[]): ReadonlyMap<string, unknown> =>
  new Map(
    stored.flatMap((field, at) => (at % 2 ? [] : [[field, parseNote(stored[at + 1] ?? '')]])),
  );

const parseOffer = ([tab = '', tools = '', note = '']: readonly string[]): TabTools => ({
  ...parseTab(tab),
  tools: parseTools(tools),
  note: parseNote(note),
});

interface Lease {
  readonly id: string;
  isKnown: boolean;
  /** When the call was made that last showed Redis that it is alive; `performance.now()`. */
  renewedAt: number;
}

/** This process' lease among the replicas; it takes a new one whenever the others may have given up the old. */
class ReplicaLease {
  current = newLease();
  readonly losses = new Emitter((error) => this.logger.error(error));
  private readonly logger = new Logger('TabPresence');

  constructor(
    private readonly redis: Redis,
    private readonly deadMs: number,
  ) {}

  /** Shows Redis that this replica is alive; never rejects. Returns the ids of dead replicas, some at a time. */
  async renew(): Promise<readonly string[]> {
    const lease = this.current;
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
    if (lease !== this.current) return;
    this.current = newLease();
    this.logger.warn(`this replica has lost its tabs: ${reason}`);
    this.losses.emit();
  }
}

const newLease = (): Lease => ({ id: generateId(), isKnown: false, renewedAt: performance.now() });

interface TabPlace {
  readonly replicaId: string;
  readonly userId: string;
  readonly tabId: string;
}

const keyOf = ({ replicaId, userId, tabId }: TabPlace) => `${fieldOf(replicaId, tabId)}:${userId}`;

const HEARTBEAT_MS = 5_000;

/** A replica that did not renew its lease for that long is dead; the same for all of them. */
const DEAD_MS = 20_000;
const ACCOUNTS_AT_ONCE = 64;
/** Each has up to 1.5 MB, which comes before all that is asked of Redis later, and is decoded in one piece. */
const REPLIES_AT_ONCE = 4;

/**
 * In Redis: a hash of tabs per account, another one of what their pages offer, and of every replica when it last
 * renewed its lease and what accounts it has tabs of. Tabs of a replica without a lease for `deadMs` do not count; the
 * next heartbeat of any other takes them away and tells their accounts. `onLost` is told when this replica was given
 * up, was forgotten, or could not reach Redis for `deadMs`. It then has a new id: adding works at once, and others
 * clean up what it added before. A tab whose `add` or `remove` rejected is removed by a later heartbeat.
 */
export class RedisTabPresence extends TabPresence implements OnApplicationShutdown {
  private readonly logger = new Logger('TabPresence');
  private readonly replica: ReplicaLease;
  /** Tabs that Redis may hold, because it did not answer: as long as this replica lives, no other takes them away. */
  private readonly unanswered = new Map<string, TabPlace>();
  private isCleaning = false;
  /** Offers of an account that are not ended: those of one replica do not undo each other's work. */
  private readonly offering = new Semaphore({ perKey: 1 });
  /** What is read of an account, until it is parsed. */
  private readonly reading = new Semaphore({ perKey: 1 });
  private readonly replies: Semaphore;

  constructor(
    private readonly redis: Redis,
    private readonly bus: TabBus,
    private readonly deadMs = DEAD_MS,
    /** What is known of an account's tabs is parsed in its turns. */
    private readonly turns = new AccountTurns(),
  ) {
    super();
    const usedBy = (account: string) => turns.usedBy(account);
    this.replies = new Semaphore({ inAll: REPLIES_AT_ONCE, usedBy });
    defineTabCommands(redis);
    this.replica = new ReplicaLease(redis, deadMs);
  }

  override async add(userId: string, tab: Tab): Promise<Tab[] | undefined> {
    const lease = this.replica.current;
    const place = { replicaId: lease.id, userId, tabId: tab.id };
    const askedAt = performance.now();
    const added = await this.redis
      .tabsAdd(
        ...keysOf(userId),
        accountsAt(lease.id),
        this.deadMs,
        lease.id,
        lease.isKnown ? 1 : 0,
        userId,
        fieldOf(lease.id, tab.id),
        formatTab(tab, Date.parse(tab.connectedAt)),
        MAX_TABS_PER_ACCOUNT,
      )
      .catch((error: unknown) => this.removeLater(place, error));
    if (added === null) this.replica.lose(lease, 'another replica gave it up');
    // The lease, and the tab with it, was lost before or during the call.
    if (lease !== this.replica.current) return this.add(userId, tab);
    if (!lease.isKnown) this.replica.renewed(lease, askedAt);
    if (!added) return undefined;
    this.unanswered.delete(keyOf(place));
    return tabsIn(added);
  }

  override async update(userId: string, tab: Tab): Promise<void> {
    const field = fieldOf(this.replica.current.id, tab.id);
    await this.redis.tabsUpdate(tabsOf(userId), field, formatTab(tab, Date.now()));
  }

  override async offer(userId: string, tab: Tab, tools: readonly PageTool[], notes: OfferNotes) {
    const own = fieldOf(this.replica.current.id, tab.id);
    await this.offering.acquire(userId);
    try {
      for (let isStored = 0; isStored === 0;) {
        const [digest = '', ...stored] = await this.redis.tabsNotes(...keysOf(userId), this.deadMs);
        await this.turns.take(userId);
        const decided = notes.decide(own, tab, tools, parseNotes(stored));
        isStored = await this.redis.tabsOffer(
          ...keysOf(userId),
          own,
          digest,
          formatTab(tab, Date.now()),
          formatTools(tools),
          ...[...decided].flatMap(([field, note]) => [field, formatNote(note)]),
        );
      }
    } finally {
      this.offering.release(userId);
    }
  }

  override async remove(userId: string, tabId: string): Promise<void> {
    await this.removeAt({ replicaId: this.replica.current.id, userId, tabId });
  }

  override async list(userId: string): Promise<Tab[]> {
    const list = () => this.redis.tabsList(REPLICAS, tabsOf(userId), this.deadMs);
    const tabs = await this.read(userId, list, 1, ([text = '']) => parseTab(text).tab);
    return tabs.toSorted(oldestFirst);
  }

  override async tools(userId: string): Promise<TabTools[]> {
    const tabs = await this.readOffers(userId, parseOffer);
    return tabs.toSorted((one, other) => oldestFirst(one.tab, other.tab));
  }

  override async find(userId: string, tabId: string): Promise<TabTools | undefined> {
    const [found] = await this.readOffers(userId, parseOffer, tabId);
    return found;
  }

  override async has(userId: string, tabId: string): Promise<boolean> {
    const [found = false] = await this.readOffers(userId, () => true, tabId);
    return found;
  }

  override onLost(listener: () => void): void {
    this.replica.losses.on(listener);
  }

  async onApplicationShutdown() {
    await this.quietly(this.removeReplica(this.replica.current.id));
  }

  /** As `read`, of all tabs or one; of each its record, its tools and its note. */
  private async readOffers<T>(
    userId: string,
    parse: (stored: readonly string[]) => T,
    ...tab: [tabId?: string]
  ): Promise<T[]> {
    const ask = () => this.redis.tabsTools(...keysOf(userId), this.deadMs, ...tab);
    return this.read(userId, ask, 3, parse);
  }

  /** What `parse` makes of the texts of each tab: one reply of an account after the other, in its turns. */
  private async read<T>(
    userId: string,
    ask: () => Promise<readonly string[]>,
    texts: number,
    parse: (stored: readonly string[]) => T,
  ): Promise<T[]> {
    await whileWaiting(() => this.reading.acquire(userId));
    try {
      await whileWaiting(() => this.replies.acquire(userId));
      const stored = await ask().finally(() => this.replies.release(userId));
      const tabs = Array.from({ length: stored.length / texts }, (_, at) =>
        stored.slice(at * texts, (at + 1) * texts),
      );
      return await this.turns.map(userId, tabs, parse);
    } finally {
      this.reading.release(userId);
    }
  }

  /** Returns whether it was there. Rejects when Redis does not answer; then a later heartbeat does it. */
  private async removeAt(place: TabPlace): Promise<boolean> {
    const { replicaId, userId, tabId } = place;
    const removed = await this.redis
      .tabsRemove(
        ...keysOf(userId),
        accountsAt(replicaId),
        fieldOf(replicaId, tabId),
        ownedBy(replicaId),
        userId,
      )
      .catch((error: unknown) => this.removeLater(place, error));
    this.unanswered.delete(keyOf(place));
    return removed === 1;
  }

  private removeLater(place: TabPlace, error: unknown): never {
    this.unanswered.set(keyOf(place), place);
    throw error;
  }

  @Interval('tab-presence', HEARTBEAT_MS)
  async heartbeat() {
    const dead = await this.replica.renew();
    if (this.isCleaning) return;
    this.isCleaning = true;
    await this.quietly(this.cleanUp(dead));
    this.isCleaning = false;
  }

  private async cleanUp(dead: readonly string[]) {
    for (const [key, place] of this.unanswered) {
      // The replica that cleans up a lost lease removes its tabs.
      if (place.replicaId !== this.replica.current.id) this.unanswered.delete(key);
      else if (await this.removeAt(place)) await this.bus.publish(place.userId, TOOLS_CHANGED);
    }
    for (const replicaId of dead) await this.removeReplica(replicaId);
  }

  /**
   * Takes away what a replica has left and tells its accounts. The record of what is to be done goes last: after a
   * crash in between, another replica does the rest, and an account may be told twice.
   */
  private async removeReplica(replicaId: string) {
    const accounts = accountsAt(replicaId);
    for (;;) {
      const userIds = await this.redis.srandmember(accounts, ACCOUNTS_AT_ONCE);
      if (userIds.length === 0) break;
      await Promise.all(
        userIds.map(async (userId) => {
          await this.redis.tabsClear(...keysOf(userId), ownedBy(replicaId));
          await this.bus.publish(userId, TOOLS_CHANGED);
        }),
      );
      await this.redis.srem(accounts, ...userIds);
    }
    await this.redis.zrem(REPLICAS, replicaId);
  }

  /** What Redis does not do now is done by a later heartbeat, of this replica or of another. */
  private async quietly(work: Promise<void>) {
    await work.catch((error: unknown) => {
      if (!isRedisOutage(error)) this.logger.error(error);
    });
  }
}

const tabsIn = (stored: readonly string[]) =>
  stored.map((text) => parseTab(text).tab).toSorted(oldestFirst);
