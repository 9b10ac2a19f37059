import type { PageTool } from './page-tool.js';

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
export const ALL_TABS = '*';

export interface TabMessage {
  readonly from: string | null;
  readonly app?: string;
  readonly body: unknown;
}

/** A call of an app, as its tab gets it. */
export interface CallOfTab {
  readonly id: string;
  readonly app: string;
  readonly method: string;
  readonly params: unknown;
  readonly expiresAt: string;
}

/** What a tab answered a request with. */
export type TabOutcome =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: string };

export interface TabProgress {
  readonly progress: number;
  readonly total?: number;
  /** At most 200 characters, the page's own, and not to be trusted. */
  readonly message?: string;
}

/** What the tabs of an account see of a call that waits for its person's answer. */
export interface OpenRequest {
  readonly id: string;
  /** The name of the app that asks. */
  readonly app: string;
  /** What it wants to do, for people; a page may have written it. */
  readonly title: string;
  /** Whether it takes a passkey to allow it. */
  readonly passkey: boolean;
  /** In epoch seconds. */
  readonly expiresAt: number;
}

export interface TabTools {
  readonly tab: Tab;
  /** Empty when its page offers none. A list that has not changed is the same object each time, or an equal one. */
  readonly tools: readonly PageTool[];
  /**
   * When its page last said something, in epoch milliseconds, to about a second; of a page that offers
   * nothing, when it last changed what is known of its tab.
   */
  readonly lastFrameAt: number;
  readonly note?: unknown;
}
