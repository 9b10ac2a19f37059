/** An open page of the site, as the other tabs of its account and the account's apps see it. */
export interface Tab {
  readonly id: string;
  /** At most 200 characters; empty before the tab said hello. */
  readonly title: string;
  /** At most 2048 characters; empty before the tab said hello. */
  readonly url: string;
  /** ISO 8601 UTC time. */
  readonly connectedAt: string;
  /** The names of the tools that its page offers, at most 64; empty without tools. */
  readonly toolNames: readonly string[];
}

export const MAX_TABS_PER_ACCOUNT = 32;
