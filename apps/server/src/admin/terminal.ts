/** Input and output of a command line. */
export interface Terminal {
  /** Environment variables. */
  readonly variables: NodeJS.ProcessEnv;
  /** Whether a person is there to answer questions. */
  readonly isInteractive: boolean;
  /** Asks on stderr, never on stdout. @throws ArgumentError for any answer but yes */
  confirm(question: string): Promise<void>;
  /** Writes to stdout; resolves when there is room for more. */
  print(text: string): Promise<void>;
  /** Writes to stderr. */
  warn(text: string): void;
  /** Aborted when the operator interrupts a command that runs without end, or the reader of stdout is gone. */
  interruption(): AbortSignal;
}
