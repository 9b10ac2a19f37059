import { MAX_TABS_PER_ACCOUNT, type Tab } from '../protocol/tab.js';
import { TabPresence } from './tab-presence.js';
import { oldestFirst } from './tab-order.js';

/** The presence of a process that is the only replica; it never fails and never loses its lease. */
export class InProcessTabPresence extends TabPresence {
  private readonly accounts = new Map<string, Map<string, Tab>>();

  override async add(userId: string, tab: Tab): Promise<boolean> {
    const tabs = this.accounts.get(userId) ?? new Map<string, Tab>();
    if (tabs.size >= MAX_TABS_PER_ACCOUNT) return false;
    this.accounts.set(userId, tabs.set(tab.id, tab));
    return true;
  }

  override async update(userId: string, tab: Tab): Promise<void> {
    const tabs = this.accounts.get(userId);
    if (tabs?.has(tab.id)) tabs.set(tab.id, tab);
  }

  override async remove(userId: string, tabId: string): Promise<void> {
    const tabs = this.accounts.get(userId);
    tabs?.delete(tabId);
    if (tabs?.size === 0) this.accounts.delete(userId);
  }

  override async list(userId: string): Promise<Tab[]> {
    return Array.from(this.accounts.get(userId)?.values() ?? []).toSorted(oldestFirst);
  }

  override onLost(_listener: () => void): void {}
}
