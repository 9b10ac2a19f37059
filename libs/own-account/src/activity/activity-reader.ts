import type { SecurityEventType } from '#libs/accounts';

/** Something that happened to an account, as its owner sees it. */
export interface Activity {
  readonly type: SecurityEventType;
  /** Epoch milliseconds; of several that are told as one, the last. */
  readonly at: number;
  /** What the app calls itself that took part. */
  readonly app: string | null;
  /** In words, such as "Firefox on Windows"; null for what no browser asked for. */
  readonly browser: string | null;
}

/** Where an account's history is read from; bound by the application, which keeps it. */
export abstract class ActivityReader {
  static readonly portOf = 'ownAccount';

  /** What a person wants to know of the own account: the newest 100, newest first. */
  abstract list(userId: string): Promise<readonly Activity[]>;
}
