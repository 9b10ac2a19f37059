import type { LoggerService } from '@nestjs/common';
import { printable } from './printable.js';
import type { Terminal } from './terminal.js';

/** Why it cannot begin is said once, by whoever began it. */
const BEGINNING = new Set(['TypeOrmModule', 'ExceptionHandler']);

/** Warnings and errors as lines on stderr; stdout is for what was asked for. */
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
