import type { LoggerService } from '@nestjs/common';
import { printable } from './printable.js';
import type { Terminal } from './terminal.js';

/** Nest's loggers of a failed start: the caller reports the error, which would otherwise be printed twice. */
const BEGINNING = new Set(['TypeOrmModule', 'ExceptionHandler']);

/** Writes warnings and errors as lines to stderr; stdout holds only the command's output. */
export class StderrLogger implements LoggerService {
  constructor(private readonly terminal: Pick<Terminal, 'warn'>) {}

  log(): void {}

  warn(said: unknown) {
    this.write('warning', said);
  }

  error(said: unknown, ...rest: unknown[]) {
    if (!BEGINNING.has(String(rest.at(-1)))) this.write('error', said);
  }

  private write(severity: string, said: unknown) {
    this.terminal.warn(`${severity}: ${printable(String(said))}\n`);
  }
}
