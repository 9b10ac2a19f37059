/** The members of an error that may be logged: an error of a database driver also holds parameters. */
export interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
}

/** A line before it is written: its message, its context and further fields. */
export interface LogLine {
  readonly message: string;
  readonly context?: string;
  readonly error?: LoggedError;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Parses the arguments of Nest's loggers: a text, an error or fields; then texts, the context last. */
export function toLogLine(said: unknown, rest: readonly unknown[]): LogLine {
  const texts = rest.filter((part) => typeof part === 'string');
  const context = texts.pop();
  const line = { ...(context === undefined ? {} : { context }), fields: {} };
  if (isError(said)) return { ...line, message: said.message, error: loggedError(said) };
  if (typeof said === 'object' && said !== null) {
    return { ...line, message: texts.join(' '), fields: { ...said } };
  }
  return { ...line, message: [String(said), ...texts].join('\n') };
}

function loggedError(error: Error): LoggedError {
  const { name: type, message, stack } = error;
  const code = 'code' in error ? { code: String(error.code) } : {};
  return { type, message, ...code, ...(stack === undefined ? {} : { stack }) };
}

/** Also true for errors of another realm, such as a sandbox. */
const isError = (value: unknown): value is Error =>
  typeof value === 'object' && value !== null && 'message' in value && 'stack' in value;
