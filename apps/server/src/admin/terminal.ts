/** What a command line is typed at. */
export interface Terminal {
  /** Environment variables. */
  readonly variables: NodeJS.ProcessEnv;
  /** Whether somebody can be asked. */
  readonly isInteractive: boolean;
  /** Asks, not on stdout. @throws ArgumentError for any answer but yes */
  confirm(question: string): Promise<void>;
  /** Writes to stdout; resolves when there is room for more. */
  print(text: string): Promise<void>;
  /** Writes to stderr. */
  warn(text: string): void;
  /** Aborted when somebody wants what goes on without end to stop, or nobody reads it any more. */
  interruption(): AbortSignal;
}
