import type { CallDescription } from '#libs/accounts';

/** Calls of a connection that are alike, within an hour. Times are epoch milliseconds. */
export interface ConnectionCall extends Pick<CallDescription, 'page' | 'approved'> {
  readonly id: string;
  /** When the first of them ended. */
  readonly at: number;
  /** When the last of them ended; of one call the same as `at`. */
  readonly lastAt: number;
  readonly count: number;
  /** Null, like name, title and outcome, for what an hour had beyond its number of rows. */
  readonly kind: CallDescription['kind'] | null;
  readonly name: string | null;
  readonly title: string | null;
  readonly outcome: string | null;
  /** What all of them cost. */
  readonly credits: number;
  /** How long all of them took. */
  readonly durationMs: number;
}

export interface ConnectionCallsPage {
  readonly calls: readonly ConnectionCall[];
  /** What the next page begins `before`; null on the last one. */
  readonly next: string | null;
}

export interface DayOfCalls {
  /** A UTC day, such as `2026-11-28`. */
  readonly day: string;
  readonly calls: number;
}

/** Number of calls and last use within 30 days, by the id of the connection; none of one that made no calls. */
export type CallsSummary = ReadonlyMap<string, { readonly calls: number; readonly lastAt: number }>;

/**
 * What apps did by their connections; the application, which keeps the trail, replaces it. This one knows of none.
 * It does not check whose connection it is: ask only for those of the account that is shown the answer.
 */
export class ConnectionCalls {
  /** At most 100 or another `limit` to 1000, newest first; of one tool by its name. @throws NotFoundException for an unknown `before` */
  async page(
    _connectionId: string,
    _part: {
      readonly before?: string | undefined;
      readonly tool?: string | undefined;
      readonly limit?: number | undefined;
    } = {},
  ): Promise<ConnectionCallsPage> {
    return { calls: [], next: null };
  }

  /** The last 30 UTC days, today at the end. */
  async days(_connectionId: string): Promise<readonly DayOfCalls[]> {
    return [];
  }

  async summary(_connectionIds: readonly string[]): Promise<CallsSummary> {
    return new Map();
  }
}
