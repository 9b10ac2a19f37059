import { contentsOf, type PageTool } from '../protocol/page-tool.js';
import { MAX_TABS_PER_ACCOUNT, type Tab, type TabTools } from '../protocol/tab.js';
import { MAX_FORMER_NAMES, oldestFirst, TabPresence } from './tab-presence.js';

/** What its page offers by shared names, and under which of these it has the suffix. */
interface KnownTab extends TabTools {
  readonly contents: ReadonlyMap<string, string>;
  readonly names: Set<string>;
}

const NO_TOOLS = { tools: [], contents: new Map<string, string>() };

/** The presence of a process that is the only replica; it never fails and never loses its lease. */
export class InProcessTabPresence extends TabPresence {
  private readonly accounts = new Map<string, Map<string, KnownTab>>();

  override async add(userId: string, tab: Tab): Promise<Tab[] | undefined> {
    const tabs = this.accounts.get(userId) ?? new Map<string, KnownTab>();
    if (tabs.size >= MAX_TABS_PER_ACCOUNT) return undefined;
    const lastFrameAt = Date.parse(tab.connectedAt);
    this.accounts.set(
      userId,
      tabs.set(tab.id, { ...NO_TOOLS, tab, lastFrameAt, names: new Set() }),
    );
    return this.tabsOf(userId).map((known) => known.tab);
  }

  override async update(userId: string, tab: Tab): Promise<void> {
    this.replace(userId, tab);
  }

  override async offer(userId: string, tab: Tab, tools: readonly PageTool[]): Promise<void> {
    this.replace(userId, tab, { tools, contents: contentsOf(tools) });
    this.settleNames(userId, tab.id);
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
    return this.tabsOf(userId).map((known) => shown(known));
  }

  override async find(userId: string, tabId: string): Promise<TabTools | undefined> {
    const known = this.accounts.get(userId)?.get(tabId);
    return known && shown(known);
  }

  override onLost(_listener: () => void): void {}

  private tabsOf(userId: string) {
    const tabs = this.accounts.get(userId)?.values() ?? [];
    return [...tabs].toSorted((one, other) => oldestFirst(one.tab, other.tab));
  }

  private replace(userId: string, tab: Tab, offered?: Pick<KnownTab, 'tools' | 'contents'>) {
    const tabs = this.accounts.get(userId);
    const known = tabs?.get(tab.id);
    if (known) tabs?.set(tab.id, { ...known, ...offered, tab, lastFrameAt: Date.now() });
  }

  /** Decides which tabs have the suffix after the page in this tab has changed its offer. */
  private settleNames(userId: string, tabId: string) {
    const all = this.tabsOf(userId);
    const own = all.find(({ tab }) => tab.id === tabId);
    if (!own) return;
    for (const [name, content] of own.contents) {
      const namesakes = all.filter((one) => one !== own && one.contents.has(name));
      const plain = namesakes.filter(({ names }) => !names.has(name));
      const others = plain.filter(({ contents }) => contents.get(name) !== content);
      const isSettled = plain.length < namesakes.length;
      const isYoungest = others.some((other) => all.indexOf(other) < all.indexOf(own));
      if (others.length < plain.length) own.names.delete(name);
      else if (own.names.has(name) || others.length === 0) continue;
      else if (isSettled || isYoungest) own.names.add(name);
      else for (const other of others) other.names.add(name);
    }
    const former = [...own.names].filter((name) => !own.contents.has(name));
    for (const name of former.slice(MAX_FORMER_NAMES)) own.names.delete(name);
  }
}

const shown = ({ tab, tools, lastFrameAt, names }: KnownTab): TabTools => ({
  tab,
  tools,
  lastFrameAt,
  ...(names.size > 0 && { suffixed: [...names] }),
});
