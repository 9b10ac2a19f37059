import { format } from 'node:util';
import { Logger } from '@nestjs/common';

/**
 * Turns the console output of libraries and Node's own warnings (which would go to stderr) into lines of the log, so
 * that the log consists of JSON objects only, one a line. For a process that runs only the service; it cannot be
 * undone.
 */
export function logStrayLines(): void {
  const logger = new Logger('Library');
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
