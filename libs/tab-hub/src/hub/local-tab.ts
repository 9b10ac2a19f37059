import type { CloseFrame } from '../protocol/close-codes.js';

/** A tab that is connected to this replica. */
export interface LocalTab {
  readonly id: string;
  /** `tokenHash` of the session that opened it. */
  readonly session: string;
  /** Requests that wait for its answer, each with the epoch millisecond it may be forgotten at. */
  readonly requests: Map<string, number>;
  /** Returns whether it was written: not before the welcome, and not to a tab that is closing. */
  write(frame: Buffer): boolean;
  end(close: CloseFrame): void;
}
