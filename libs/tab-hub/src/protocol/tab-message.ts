/** Every tab of the account, as an address. */
export const ALL_TABS = '*';

/** What a tab gets as `message`. */
export interface TabMessage {
  readonly from: string | null;
  readonly app?: string;
  readonly body: unknown;
}

/** What a tab answered a request with. */
export type TabOutcome =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: string };

/** How far a tab is with what it was asked. */
export interface TabProgress {
  /** Greater each time. */
  readonly progress: number;
  readonly total?: number;
  /** At most 200 characters, the page's own, and not to be trusted. */
  readonly message?: string;
}
