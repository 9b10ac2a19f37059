import { format } from 'node:util';
import { Logger } from '@nestjs/common';

/**
 * Turns what libraries say on the console, and Node's own warnings (which would be lines on stderr), into
 * lines of the log: whoever reads it gets one JSON object a line and nothing else. For a process that is
 * the service and nothing more; it cannot be undone.
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
