export const MAX_TIMEOUT_MS = 5_000;

/** How deep input and value may be nested. */
export const MAX_JSON_DEPTH = 64;

/** How much longer than its `timeoutMs` code can go on before it is ended for good. */
export const HARD_MARGIN_MS = 250;

export interface CodeRun {
  readonly userId: string;
  /**
   * Statements that may await and know `input`. The value is what they return, or, without a `return` outside
   * of functions, that of the last expression; a promise is awaited.
   */
  readonly code: string;
  /** Any JSON value. */
  readonly input: unknown;
  /** 1 to {@link MAX_TIMEOUT_MS}. */
  readonly timeoutMs: number;
  /** Fires when nobody waits for the result any more. */
  readonly signal?: AbortSignal | undefined;
}

export interface CodeResult {
  /** Any JSON value, at most 64 KiB as text; null where JSON has nothing for what the code gave. */
  readonly value: unknown;
  /** Sentences on what `value` does not say, as of NaN, a Map or nothing at all; empty when it says it all. */
  readonly remarks: string;
  /** At most 100 lines and 16 KiB, and one more line when there was more. */
  readonly logs: readonly string[];
  readonly runMs: number;
}

/**
 * Runs code that nobody trusts. It sees its input, the language and `console`, nothing of the host and
 * nothing of other runs, has 32 MiB, and is over at `timeoutMs`, at most {@link HARD_MARGIN_MS} later
 * whatever it does; the server's event loop stays free. Failures that the code is to blame for reject
 * with a CodeFailure, and leave nothing behind. When its `signal` fires a run is ended at once, rejects with
 * a CodeCancelledError, and no other run notices; one that has ended by then keeps its result.
 *
 * Any number of calls may be made: as many run at once as the replica has cores, and the others wait for
 * up to two seconds. A CodeBusyError then says that nothing ran. How many runs one account may have at
 * once is up to the caller.
 */
export abstract class CodeRunner {
  static readonly portOf = 'code';

  abstract run(run: CodeRun): Promise<CodeResult>;
}
