import type { Redis } from 'ioredis';
import type { TabBus } from '../bus/tab-bus.js';
import { accountsAt, fieldOf, ownedBy, tabsOf } from './tab-presence-keys.js';

interface Leftover {
  readonly replicaId: string;
  readonly userId: string;
  readonly tabId: string;
}

/**
 * Removes tabs of this replica, and remembers those that Redis may still have, because it did not
 * answer: as long as the replica lives, nobody else would take them away.
 */
export class TabLeftovers {
  private readonly leftovers = new Map<string, Leftover>();

  constructor(
    private readonly redis: Redis,
    private readonly bus: TabBus,
  ) {}

  remember(leftover: Leftover): void {
    this.leftovers.set(keyOf(leftover), leftover);
  }

  /** The tab is there to stay. */
  forget(tab: Leftover): void {
    this.leftovers.delete(keyOf(tab));
  }

  /** Returns whether it was there. Rejects when Redis does not answer; then a later `clear` does it. */
  async remove(tab: Leftover): Promise<boolean> {
    const { replicaId, userId, tabId } = tab;
    const field = fieldOf(replicaId, tabId);
    const keys = [tabsOf(userId), accountsAt(replicaId)] as const;
    try {
      const removed = await this.redis.tabsRemove(...keys, field, ownedBy(replicaId), userId);
      this.leftovers.delete(keyOf(tab));
      return removed === 1;
    } catch (error) {
      this.remember(tab);
      throw error;
    }
  }

  /** Takes away what is left of `replicaId` and tells the accounts; what is left of others is for their burial. */
  async clear(replicaId: string): Promise<void> {
    for (const leftover of Array.from(this.leftovers.values())) {
      if (leftover.replicaId !== replicaId) this.leftovers.delete(keyOf(leftover));
      else if (await this.remove(leftover)) {
        await this.bus.publish(leftover.userId, { kind: 'tabs' });
      }
    }
  }
}

const keyOf = ({ replicaId, userId, tabId }: Leftover) => `${fieldOf(replicaId, tabId)}:${userId}`;
