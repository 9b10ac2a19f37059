import { Injectable } from '@nestjs/common';
import { AccountTurns } from '#libs/platform';
import type { PageTool } from '../protocol/page-tool.js';
import { MAX_TABS_PER_ACCOUNT, type Tab, type TabTools } from '../protocol/tab.js';
import { formatTools, parseTools } from './stored-tools.js';
import { type OfferNotes, oldestFirst, TabPresence } from './tab-presence.js';

/** Its tools as JSON: objects, and what others derive from them, take up to thirty times as much. */
interface StoredTab extends Omit<TabTools, 'tools'> {
  readonly tools: string;
}

@Injectable()
export class InProcessTabPresence extends TabPresence {
  private readonly accounts = new Map<string, Map<string, StoredTab>>();

  /** What tabs of an account offer is parsed and noted in its turns. */
  constructor(private readonly turns: AccountTurns = new AccountTurns()) {
    super();
  }

  override async add(userId: string, tab: Tab): Promise<Tab[] | undefined> {
    const tabs = this.accounts.get(userId) ?? new Map<string, StoredTab>();
    if (tabs.size >= MAX_TABS_PER_ACCOUNT) return undefined;
    const lastFrameAt = Date.parse(tab.connectedAt);
    this.accounts.set(userId, tabs.set(tab.id, { tab, tools: '', lastFrameAt }));
    return this.tabsOf(userId).map((known) => known.tab);
  }

  override async update(userId: string, tab: Tab): Promise<void> {
    this.replace(userId, tab);
  }

  override async offer(userId: string, tab: Tab, tools: readonly PageTool[], notes: OfferNotes) {
    await this.turns.take(userId);
    const tabs = this.accounts.get(userId);
    if (!tabs?.has(tab.id)) return;
    const before = [...tabs].filter(([, { note }]) => note !== undefined);
    const noted = new Map(before.map(([id, { note }]) => [id, note]));
    this.replace(userId, tab, { tools: formatTools(tools) });
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
    return this.turns.map(userId, this.tabsOf(userId), withTools);
  }

  override async find(userId: string, tabId: string): Promise<TabTools | undefined> {
    const known = this.accounts.get(userId)?.get(tabId);
    const [found] = await this.turns.map(userId, known ? [known] : [], withTools);
    return found;
  }

  override async has(userId: string, tabId: string): Promise<boolean> {
    return this.accounts.get(userId)?.has(tabId) ?? false;
  }

  override onLost(_listener: () => void): void {}

  private tabsOf(userId: string) {
    const tabs = this.accounts.get(userId)?.values() ?? [];
    return [...tabs].toSorted((one, other) => oldestFirst(one.tab, other.tab));
  }

  private replace(userId: string, tab: Tab, offered?: Pick<StoredTab, 'tools'>) {
    const tabs = this.accounts.get(userId);
    const known = tabs?.get(tab.id);
    if (known) tabs?.set(tab.id, { ...known, ...offered, tab, lastFrameAt: Date.now() });
  }
}

const withTools = (stored: StoredTab): TabTools => ({ ...stored, tools: parseTools(stored.tools) });
