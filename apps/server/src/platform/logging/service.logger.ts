import { ConsoleLogger, type LogLevel } from '@nestjs/common';

/** Our level names, most severe first, and what Nest calls them. */
const NEST_LEVELS = {
  fatal: 'fatal',
  error: 'error',
  warn: 'warn',
  info: 'log',
  debug: 'debug',
  trace: 'verbose',
} as const satisfies Record<string, LogLevel>;

type Level = keyof typeof NEST_LEVELS;

/** What Nest says about its own wiring at every start. */
const WIRING = new Set(['NestFactory', 'InstanceLoader', 'RoutesResolver', 'RouterExplorer']);

/** JSON lines on stdout, or text for people on a terminal. */
export class ServiceLogger extends ConsoleLogger {
  constructor(level: Level) {
    const terminal = process.stdout.isTTY === true;
    super({ json: !terminal, colors: terminal, prefix: 'Gatehouse', logLevels: levelsFrom(level) });
  }

  override log(message: unknown, ...rest: unknown[]) {
    const context = rest.at(-1);
    if (typeof context === 'string' && WIRING.has(context)) super.verbose(message, ...rest);
    else super.log(message, ...rest);
  }

  /** Why it cannot listen is said once, by whoever starts it. */
  override error(message: unknown, ...rest: unknown[]) {
    if (rest.at(-1) === 'NestApplication') super.verbose(message, ...rest);
    else super.error(message, ...rest);
  }
}

function levelsFrom(level: Level): LogLevel[] {
  const names = Object.keys(NEST_LEVELS) as Level[];
  return names.slice(0, names.indexOf(level) + 1).map((name) => NEST_LEVELS[name]);
}
