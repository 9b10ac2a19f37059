import { isatty } from 'node:tty';
import { format } from 'node:util';
import { Logger as NestLogger, type LoggerService } from '@nestjs/common';
import { type DestinationStream, destination, type Logger, pino, stdTimeFunctions } from 'pino';
import pretty, { type PrettyOptions } from 'pino-pretty';
import { currentRequestId, currentTraceId } from '#libs/platform';

/** The members of an error that may be logged: an error of a database driver also holds parameters. */
interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
}

/** A line before it is written: its message, its context and further fields. */
interface LogLine {
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

type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';

const STDOUT = 1;

/** The contexts in which Nest logs its wiring and its start, at every start. */
const WIRING = new Set<unknown>([
  'NestApplication',
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'WebSocketsController',
]);

/** The contexts in which Nest logs a failure of the start, which it then throws. */
const STARTING = new Set<unknown>(['NestApplication', 'ExceptionHandler']);

/**
 * Writes one JSON object a line to stdout, or text for people on a terminal. Every line that is written while a
 * request is handled names the request. Lines are written synchronously, so none is lost however the process ends.
 */
export class ServiceLogger implements LoggerService {
  private readonly lines: Logger;

  constructor(level: Level, out: DestinationStream = standardOutput()) {
    const options = {
      level,
      base: null,
      messageKey: 'message',
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label: string) => ({ level: label }) },
    };
    this.lines = pino(options, out);
  }

  log(said: unknown, ...rest: unknown[]) {
    this.write(WIRING.has(rest.at(-1)) ? 'trace' : 'info', said, rest);
  }

  /** Logs failures of the start at trace level: the code that starts the application reports them as errors. */
  error(said: unknown, ...rest: unknown[]) {
    this.write(STARTING.has(rest.at(-1)) ? 'trace' : 'error', said, rest);
  }

  warn(said: unknown, ...rest: unknown[]) {
    this.write('warn', said, rest);
  }

  debug(said: unknown, ...rest: unknown[]) {
    this.write('debug', said, rest);
  }

  verbose(said: unknown, ...rest: unknown[]) {
    this.write('trace', said, rest);
  }

  fatal(said: unknown, ...rest: unknown[]) {
    this.write('fatal', said, rest);
  }

  write(level: Level, said: unknown, rest: readonly unknown[]) {
    if (!this.lines.isLevelEnabled(level)) return;
    const { message, fields, ...origin } = toLogLine(said, rest);
    this.lines[level]({ ...nameRequest(), ...origin, ...fields }, message);
  }

  /** Writes a line from complete fields; cheaper than `write`, which has to parse its arguments. */
  writeLine(level: Level, fields: Readonly<Record<string, unknown>>, message: string) {
    this.lines[level](fields, message);
  }
}

function nameRequest() {
  const requestId = currentRequestId();
  if (requestId === undefined) return {};
  const traceId = currentTraceId();
  return traceId === undefined ? { requestId } : { requestId, traceId };
}

/** One line each, except for the stack of an error. */
const FOR_PEOPLE: PrettyOptions = {
  sync: true,
  messageKey: 'message',
  messageFormat: '{if context}[{context}] {end}{message}{if durationMs} in {durationMs} ms{end}',
  ignore: 'context,requestId,traceId,method,path,status,durationMs',
  errorLikeObjectKeys: ['error'],
  singleLine: true,
};

/** Formats lines for people on a terminal, to a file descriptor or a stream. */
export const linesForPeople = (out: number | NodeJS.WritableStream) =>
  pretty({ ...FOR_PEOPLE, destination: out });

const standardOutput = () =>
  isatty(STDOUT) ? linesForPeople(STDOUT) : destination({ dest: STDOUT, sync: true });

/**
 * Turns the console output of libraries and Node's own warnings (which would go to stderr) into lines of the log, so
 * that the log consists of JSON objects only, one a line. For a process that runs only the service; it cannot be
 * undone.
 */
export function logStrayLines(): void {
  const logger = new NestLogger('Library');
  const at =
    (level: 'debug' | 'log' | 'warn' | 'error') =>
    (...said: unknown[]) =>
      logger[level](format(...said));
  Object.assign(globalThis.console, {
    debug: at('debug'),
    log: at('log'),
    info: at('log'),
    warn: at('warn'),
    error: at('error'),
  });
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message }) => logger.warn(`${name}: ${message}`));
}
