import type { Tab } from '../protocol/tab.js';

/**
 * Knows the open tabs of every account, on all replicas.
 *
 * Every method is one atomic step, whatever the number of callers and replicas: an account never has
 * more than 32 tabs. The tabs of a replica that died without a word are gone within 45 seconds, and
 * `tabs` is then published on the account's tab bus. Nothing stays behind for an account without tabs. A method
 * rejects with the store's own error when the store is down.
 */
export abstract class TabPresence {
  /** Adds a tab of this replica; false, and nothing added, when the account has 32. */
  abstract add(userId: string, tab: Tab): Promise<boolean>;

  /** Replaces what is known of a tab of this replica; does nothing when it is gone. */
  abstract update(userId: string, tab: Tab): Promise<void>;

  /** Removes a tab of this replica, if it is there. */
  abstract remove(userId: string, tabId: string): Promise<void>;

  /** The account's tabs, the oldest connection first. */
  abstract list(userId: string): Promise<Tab[]>;

  /**
   * Calls `listener` whenever this replica has lost its lease: what it added may be gone, and its
   * sockets have to be closed so that they come back.
   */
  abstract onLost(listener: () => void): void;
}
