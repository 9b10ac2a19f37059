import type { PageTool } from '../protocol/page-tool.js';
import type { Tab, TabTools } from '../protocol/tab.js';

/** Decides what is kept of an offer beside its tools, for as long as its tab is open. By default nothing. */
export class OfferNotes {
  /**
   * Called when the page in `tab` offers `tools`, again if others offered meanwhile. `notes` has what was decided for
   * the account's tabs, by keys; `own` is this tab's. Returns the notes, JSON, that change; undefined removes one.
   */
  decide(
    _own: string,
    _tab: Tab,
    _tools: readonly PageTool[],
    _notes: ReadonlyMap<string, unknown>,
  ): ReadonlyMap<string, unknown> {
    return new Map();
  }

  /** Why a tool is not listed for apps, a clause; undefined where it is. */
  unlisted(_tool: PageTool): string | undefined {
    return undefined;
  }
}

/**
 * Knows the open tabs of every account, and what their pages offer, on all replicas. Every method is one atomic step,
 * whatever the number of callers: an account never has more than 32 tabs, and what a page offers goes with its tab.
 * The tabs of a crashed replica are gone within 45 seconds, and `tabs` is then published. Nothing is kept of an
 * account without tabs. A method rejects with the store's own error when that is down.
 */
export abstract class TabPresence {
  static readonly portOf = 'tabs';

  /** Adds a tab of this replica. Returns all tabs, as `list`; undefined, and nothing added, when the account has 32. */
  abstract add(userId: string, tab: Tab): Promise<Tab[] | undefined>;

  /** Its page has just said something: replaces what is known of a tab of this replica; does nothing when it is gone. */
  abstract update(userId: string, tab: Tab): Promise<void>;

  /**
   * As `update`, and replaces what its page offers, with the notes that `notes` decides on; `toolNames` of the tab are
   * the names of `tools`. Of offers at once, each sees what the one before has decided.
   */
  abstract offer(
    userId: string,
    tab: Tab,
    tools: readonly PageTool[],
    notes: OfferNotes,
  ): Promise<void>;

  /** Removes a tab of this replica, if it is there. */
  abstract remove(userId: string, tabId: string): Promise<void>;

  /** The account's tabs, the oldest connection first. */
  abstract list(userId: string): Promise<Tab[]>;

  /** The account's tabs as in `list`, each with what its page offers. */
  abstract tools(userId: string): Promise<TabTools[]>;

  /** One of the account's tabs, as in `tools`; undefined when it has none of that id. By default picked out of them all. */
  async find(userId: string, tabId: string): Promise<TabTools | undefined> {
    const tabs = await this.tools(userId);
    return tabs.find(({ tab }) => tab.id === tabId);
  }

  /** Whether the account has an open tab of that id. By default by `find`, which reads more. */
  async has(userId: string, tabId: string): Promise<boolean> {
    return (await this.find(userId, tabId)) !== undefined;
  }

  /** Calls `listener` when this replica has lost its lease: its sockets have to be closed so that they come back. */
  abstract onLost(listener: () => void): void;
}

/** For sorting: the oldest connection first; of two of the same millisecond always the same one. */
export const oldestFirst = (one: Tab, other: Tab) =>
  compare(one.connectedAt, other.connectedAt) || compare(one.id, other.id);

const compare = (one: string, other: string) => Number(one > other) - Number(one < other);
