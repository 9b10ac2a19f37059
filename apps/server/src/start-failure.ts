import { NotMigratedError } from '#libs/platform';
import { BrandError, TextsError } from '#libs/ui-templates';
import { ConfigError } from './config/config.js';
import { DatabaseStartError } from './database-failure.js';
import { ExtensionError } from './extension-fit.js';
import { PathTakenError } from './http/routes.js';

const FOR_OPERATORS = [
  BrandError,
  ConfigError,
  DatabaseStartError,
  ExtensionError,
  NotMigratedError,
  PathTakenError,
  TextsError,
];

/** The message for a failed start: one line a problem, and the stack of an error that has no code. */
export function describeStartFailure(error: unknown): string {
  const { code, message, stack, syscall } = error as NodeJS.ErrnoException;
  if (FOR_OPERATORS.some((type) => error instanceof type)) return `${message}\n`;
  if (syscall === 'listen' || syscall === 'getaddrinfo') {
    return `${message}: set PORT, MANAGEMENT_PORT or DEVTOOLS_PORT to a free port, and HOST or MANAGEMENT_HOST to an address of this machine\n`;
  }
  if (code !== undefined) return `Gatehouse could not start: ${message} (${code})\n`;
  return `Gatehouse could not start: ${stack ?? String(error)}\n`;
}
