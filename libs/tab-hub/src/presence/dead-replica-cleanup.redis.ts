import type { Redis } from 'ioredis';
import { type TabBus, TOOLS_CHANGED } from '../bus/tab-bus.js';
import { accountsAt, namesOf, ownedBy, REPLICAS, tabsOf, toolsOf } from './tab-presence-keys.js';

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
