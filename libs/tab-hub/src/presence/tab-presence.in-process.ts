import type { PageTool } from '../protocol/page-tool.js';
import { MAX_TABS_PER_ACCOUNT, type Tab, type TabTools } from '../protocol/tab.js';
import { type OfferNotes, oldestFirst, TabPresence } from './tab-presence.js';

export class InProcessTabPresence extends TabPresence {
  private readonly accounts = new Map<string, Map<string, TabTools>>();

  override async add(userId: string, tab: Tab): Promise<Tab[] | undefined> {
    const tabs = this.accounts.get(userId) ?? new Map<string, TabTools>();
    if (tabs.size >= MAX_TABS_PER_ACCOUNT) return undefined;
    const lastFrameAt = Date.parse(tab.connectedAt);
    this.accounts.set(userId, tabs.set(tab.id, { tab, tools: [], lastFrameAt }));
    return this.tabsOf(userId).map((known) => known.tab);
  }

  override async update(userId: string, tab: Tab): Promise<void> {
    this.replace(userId, tab);
  }

  override async offer(
    userId: string,
    tab: Tab,
    tools: readonly PageTool[],
    notes: OfferNotes,
  ): Promise<void> {
    const tabs = this.accounts.get(userId);
    if (!tabs?.has(tab.id)) return;
    const before = [...tabs].filter(([, { note }]) => note !== undefined);
    const noted = new Map(before.map(([id, { note }]) => [id, note]));
    this.replace(userId, tab, { tools });
    for (const [id, note] of notes.decide(tab.id, tab, tools, noted)) {
      const known = tabs.get(id);
      if (known) tabs.set(id, { ...known, note });
    }
  }

  override async remove(userId: string, tabId: string): Promise<void> {
    const tabs = this.accounts.get(userId);
    tabs?.delete(tabId);
    if (tabs?.size === 0) this.accounts.delete(userId);
  }

  override async list(userId: string): Promise<Tab[]> {
    return this.tabsOf(userId).map(({ tab }) => tab);
  }

  override async tools(userId: string): Promise<TabTools[]> {
    return this.tabsOf(userId);
  }

  override async find(userId: string, tabId: string): Promise<TabTools | undefined> {
    return this.accounts.get(userId)?.get(tabId);
  }

  override onLost(_listener: () => void): void {}

  private tabsOf(userId: string) {
    const tabs = this.accounts.get(userId)?.values() ?? [];
    return [...tabs].toSorted((one, other) => oldestFirst(one.tab, other.tab));
  }

  private replace(userId: string, tab: Tab, offered?: Pick<TabTools, 'tools'>) {
    const tabs = this.accounts.get(userId);
    const known = tabs?.get(tab.id);
    if (known) tabs?.set(tab.id, { ...known, ...offered, tab, lastFrameAt: Date.now() });
  }
}
