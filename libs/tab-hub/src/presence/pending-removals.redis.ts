import type { Redis } from 'ioredis';
import { type TabBus, TOOLS_CHANGED } from '../bus/tab-bus.js';
import { accountsAt, fieldOf, namesOf, ownedBy, tabsOf, toolsOf } from './tab-presence-keys.js';

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
