/** Code began to run and came to no result. The message is a sentence about the code, for its author. */
export class CodeFailure extends Error {
  override name = 'CodeFailure';

  /** `logs` is what it logged before, as far as that is known. */
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

/** Its memory, or the stack that deep recursion needs. */
export class CodeOutOfMemoryError extends CodeFailure {
  override name = 'CodeOutOfMemoryError';
}

/** What the code returned is no JSON, too large, nested too deep or never came. */
export class CodeResultError extends CodeFailure {
  override name = 'CodeResultError';
}

/** Its caller cancelled the run, after `runMs`; undefined when no code had begun to run. */
export class CodeCancelledError extends Error {
  override name = 'CodeCancelledError';

  constructor(
    readonly runMs: number | undefined,
    options?: ErrorOptions,
  ) {
    super('it was cancelled', options);
  }
}

/** No code ran, because too much of it runs already or because the server stops. For another try later. */
export class CodeBusyError extends Error {
  override name = 'CodeBusyError';
}
