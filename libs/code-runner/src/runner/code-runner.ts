/** The code began to run but gave no result. The message is a sentence about the code, for its author. */
export class CodeFailure extends Error {
  /** `logs` is what the code logged before, as far as known. */
  constructor(
    message: string,
    readonly runMs: number,
    readonly logs: readonly string[] = [],
  ) {
    super(message);
    this.name = new.target.name;
  }
}

export class CodeThrewError extends CodeFailure {}

export class CodeTimeUpError extends CodeFailure {}

/** The code ran out of memory, or of stack for its recursion. */
export class CodeOutOfMemoryError extends CodeFailure {}

/** What the code returned is no JSON, too large or nested too deeply, or its promise never settled. */
export class CodeResultError extends CodeFailure {}

/** The caller cancelled the run, after `runMs`; undefined when the code had not begun. */
export class CodeCancelledError extends Error {
  override name = 'CodeCancelledError';

  constructor(
    readonly runMs: number | undefined,
    options?: ErrorOptions,
  ) {
    super('it was cancelled', options);
  }
}

/** The code did not run, because too many runs are in progress or the server is stopping. The caller may try later. */
export class CodeBusyError extends Error {
  override name = 'CodeBusyError';
}

export interface CodeTask {
  readonly code: string;
  readonly input: string;
  readonly timeoutMs: number;
}

export type CodeEnding =
  | { readonly kind: 'value'; readonly json: string; readonly remarks: string }
  | { readonly kind: 'threw'; readonly message: string }
  | { readonly kind: 'unusable'; readonly message: string }
  | { readonly kind: 'unsettled' }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'memory' };

export interface CodeOutcome {
  readonly ending: CodeEnding;
  readonly logs: readonly string[];
  readonly runMs: number;
}

export const MAX_TIMEOUT_MS = 5_000;

export const MAX_JSON_DEPTH = 64;

/** How long code may run beyond its `timeoutMs` before its worker is terminated. */
export const HARD_MARGIN_MS = 250;

export interface CodeRun {
  readonly userId: string;
  /** Statements that may use `await` and `input`. The value is what they `return`, else that of the last expression. */
  readonly code: string;
  readonly input: unknown;
  /** 1 to {@link MAX_TIMEOUT_MS}. */
  readonly timeoutMs: number;
  /** Fires when the caller no longer waits for the result. */
  readonly signal?: AbortSignal | undefined;
  /** Called when the code is about to begin, after all waits; it does not begin where this rejects. */
  readonly expectAllowed?: (() => Promise<void>) | undefined;
}

export interface CodeResult {
  /** Any JSON value, at most 64 KiB as text; null where JSON cannot express what the code returned. */
  readonly value: unknown;
  /**
   * Sentences on what `value` does not show, such as NaN, a Map or no value at all; empty when it shows everything.
   */
  readonly remarks: string;
  /** At most 100 lines and 16 KiB, and one further line when some were cut. */
  readonly logs: readonly string[];
  readonly runMs: number;
}

/**
 * Runs untrusted code. It can use its input, the language and `console`, but nothing of the host or of other runs, and
 * 32 MiB. It ends at `timeoutMs`, or at most {@link HARD_MARGIN_MS} later whatever it does; the event loop stays free.
 * Failures of the code reject with a CodeFailure, and do not affect other runs; `signal` ends a run at once with a
 * CodeCancelledError. As many run at once as the replica has cores; others wait for up to two seconds, then a
 * CodeBusyError says that nothing ran. The caller limits how many runs one account may have at once.
 */
export abstract class CodeRunner {
  static readonly portOf = 'code';

  abstract run(run: CodeRun): Promise<CodeResult>;
}
