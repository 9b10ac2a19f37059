/** The code began to run but gave no result. The message is a sentence about the code, for its author. */
export class CodeFailure extends Error {
  override name = 'CodeFailure';

  /** `logs` is what the code logged before, as far as known. */
  constructor(
    message: string,
    readonly runMs: number,
    readonly logs: readonly string[] = [],
  ) {
    super(message);
  }
}

export class CodeThrewError extends CodeFailure {
  override name = 'CodeThrewError';
}

export class CodeTimeUpError extends CodeFailure {
  override name = 'CodeTimeUpError';
}

/** The code ran out of memory, or of stack for its recursion. */
export class CodeOutOfMemoryError extends CodeFailure {
  override name = 'CodeOutOfMemoryError';
}

/** What the code returned is no JSON, too large or nested too deeply, or its promise never settled. */
export class CodeResultError extends CodeFailure {
  override name = 'CodeResultError';
}

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
