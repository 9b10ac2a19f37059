import { isatty } from 'node:tty';
import type { LoggerService } from '@nestjs/common';
import { type DestinationStream, destination, type Logger, pino } from 'pino';
import pretty, { type PrettyOptions } from 'pino-pretty';
import { currentRequestId, currentTraceId } from '#libs/platform';
import { toLogLine } from './log-line.js';
import { timestamps } from './line-time.js';

type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';

const STDOUT = 1;

/** What Nest says about its own wiring, and about having started, at every start. */
const WIRING = new Set([
  'NestApplication',
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'WebSocketsController',
]);

/** Where Nest tells of failures of the start, which it then throws. */
const STARTING = new Set<unknown>(['NestApplication', 'ExceptionHandler']);

/**
 * One JSON object a line on stdout, or text for people on a terminal. Every line that is written
 * while a request is handled names the request. Lines are written at once: none is lost, however
 * the process ends.
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

  /** Why it cannot start is said once, by what starts it. */
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

  /** A line whose fields are all there: it costs less than `write`, which finds out what it was called with. */
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

/** One line each, but for the stack of an error. */
const FOR_PEOPLE: PrettyOptions = {
  sync: true,
  messageKey: 'message',
  messageFormat: '{if context}[{context}] {end}{message}{if durationMs} in {durationMs} ms{end}',
  ignore: 'context,requestId,traceId,method,path,status,durationMs',
  errorLikeObjectKeys: ['error'],
  singleLine: true,
};

/** Lines as people read them on a terminal, to a file descriptor or a stream. */
export const linesForPeople = (out: number | NodeJS.WritableStream) =>
  pretty({ ...FOR_PEOPLE, destination: out });

const standardOutput = () =>
  isatty(STDOUT) ? linesForPeople(STDOUT) : destination({ dest: STDOUT, sync: true });
