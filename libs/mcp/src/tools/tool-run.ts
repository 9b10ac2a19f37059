import type { Round } from '../rounds/round.js';

/** How a tool interacts with its client while it runs. */
export interface ToolRun extends Round {
  /**
   * Aborts when the client no longer waits for the answer (it cancelled, or its connection ended) or the time
   * limit is reached. The tool should then stop its work; what it returns or throws later is discarded.
   */
  readonly signal: AbortSignal;
  /**
   * Reports progress to a client that asked for it; otherwise does nothing. `done` has to increase with each
   * report: others are dropped. `total` is its final value, if known.
   */
  readonly progress: (done: number, total?: number, message?: string) => void;
}
