import type { SecurityEventType } from './security-event.js';

/** An event of an account, as its owner sees it. */
export interface Activity {
  readonly type: SecurityEventType;
  /** Epoch milliseconds; for several events merged into one, the last. */
  readonly at: number;
  /** The name of the app involved. */
  readonly app: string | null;
  /** Display name, such as "Firefox on Windows"; null when no browser was involved. */
  readonly browser: string | null;
}

/** Reads an account's history; bound by the application, which stores it. */
export abstract class ActivityReader {
  static readonly portOf = 'accounts';

  /** Events of the owner's interest: the newest 100, newest first. */
  abstract list(userId: string): Promise<readonly Activity[]>;
}
