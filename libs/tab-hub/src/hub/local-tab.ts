import type { CloseFrame } from '../protocol/close-codes.js';
import type { TabRequests } from './tab-requests.js';

/** A tab that is connected to this replica. */
export interface LocalTab {
  readonly id: string;
  /** `tokenHash` of the session that opened it. */
  readonly session: string;
  /** What waits for its answer. */
  readonly requests: TabRequests;
  /** Returns whether it was written: not before the welcome, and not to a tab that is closing. */
  write(frame: Buffer): boolean;
  /** As `write`, for what replaces the frame of this kind before it: of several that wait for a slow reader only the last is written. */
  writeLatest(frame: Buffer): void;
  end(close: CloseFrame): void;
}
