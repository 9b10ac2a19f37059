import { isatty } from 'node:tty';
import type { LoggerService } from '@nestjs/common';
import { type DestinationStream, destination, type Logger, pino } from 'pino';
import pretty, { type PrettyOptions } from 'pino-pretty';
import { currentRequestId, currentTraceId } from '#libs/platform';
import { toLogLine } from './log-line.js';
import { timestamps } from './line-time.js';

type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';

const STDOUT = 1;

/** The contexts in which Nest logs its wiring and its start, at every start. */
const WIRING = new Set([
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
      timestamp: timestamps(),
      formatters: { level: (label: string) => ({ level: label }) },
    };
    this.lines = pino(options, out);
  }

  log(said: unknown, ...rest: unknown[]) {
    this.write(isWiring(rest) ? 'trace' : 'info', said, rest);
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

function isWiring(rest: readonly unknown[]) {
  const context = rest.at(-1);
  return typeof context === 'string' && WIRING.has(context);
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
