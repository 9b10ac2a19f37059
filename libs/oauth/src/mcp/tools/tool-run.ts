import type { Round } from '../rounds/round.js';

/** What a tool has to do with its client while it works. */
export interface ToolRun extends Round {
  /**
   * Fires when no client waits for the answer any more: the caller cancelled, its connection ended, or time
   * is up. What the tool began is to be stopped then; what it returns or throws later has no reader.
   */
  readonly signal: AbortSignal;
  /**
   * Says how far the work is, to a client that asked to hear of it; to any other nothing. `done` has to
   * grow from one time to the next: what does not is dropped. `total` is how far it can grow, if known.
   */
  readonly progress: (done: number, total?: number, message?: string) => void;
}
