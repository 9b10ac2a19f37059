import type { Round } from '../rounds/round.js';

/** What goes on between a call of a tool and whoever waits for it. */
export interface ToolRun extends Round {
  /**
   * Fires when nobody waits for the answer any more: the caller cancelled, its connection ended, or time
   * is up. What the tool began is to be stopped then; what it returns or throws later is told to nobody.
   */
  readonly signal: AbortSignal;
  /**
   * Says how far the work is, to a client that asked to hear of it; to any other nothing. `done` has to
   * grow from one time to the next: what does not is dropped. `total` is how far it can grow, if known.
   */
  readonly progress: (done: number, total?: number, message?: string) => void;
}
