import { NotMigratedError } from '#libs/database';
import { BrandError, TextsError } from '#libs/ui-templates';
import { ConfigError } from './config/config.js';
import { ExtensionError } from './extension.error.js';
import { PathTakenError } from './http/path-taken.error.js';

const PORTS = 'another PORT, MANAGEMENT_PORT or DEVTOOLS_PORT';

/** What to print when the service could not start: one line a problem, for whoever started it. */
export function describeStartFailure(error: unknown): string {
  if (error instanceof ConfigError) return `${error.problems.join('\n')}\n`;
  if (error instanceof ExtensionError || error instanceof NotMigratedError) {
    return `${error.message}\n`;
  }
  if (error instanceof PathTakenError) return `${error.message}\n`;
  if (error instanceof TextsError || error instanceof BrandError) return `${error.message}\n`;
  const { code, message, stack } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return `${message}: another process listens there; set ${PORTS}\n`;
  if (code !== undefined) return `Gatehouse could not start: ${message} (${code})\n`;
  return `Gatehouse could not start: ${stack ?? String(error)}\n`;
}
