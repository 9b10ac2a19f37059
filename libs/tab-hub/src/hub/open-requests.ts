import type { OpenRequest } from '../protocol/tab.js';

/** What an account's apps ask of its person: calls that wait for an answer. */
export abstract class OpenRequests {
  static readonly portOf = 'tabs';

  /** The open ones of an account, the newest first, 20 at most. Rejects with the store's own error when that is down. */
  abstract of(userId: string): Promise<readonly OpenRequest[]>;

  /**
   * Calls `listener`, on every replica, after each change of the open ones of an account; need not where one has only
   * expired. Called once, at the start.
   */
  abstract onChanged(listener: (userId: string) => void): void;
}

export class NoOpenRequests extends OpenRequests {
  override async of() {
    return [];
  }

  override onChanged() {}
}
