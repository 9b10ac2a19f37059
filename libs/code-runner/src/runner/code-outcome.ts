/** The task of a worker. */
export interface CodeTask {
  readonly code: string;
  /** JSON text. */
  readonly input: string;
  readonly timeoutMs: number;
}

/** The ways a run ends inside the sandbox. */
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
