import { ConfigError } from './config/config.js';

/** What to print when the service could not start: one line a problem, for whoever started it. */
export function describeStartFailure(error: unknown): string {
  if (error instanceof ConfigError) return `${error.problems.join('\n')}\n`;
  const { code, message, stack } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return `${message}: another process listens there; set PORT\n`;
  if (code !== undefined) return `Gatehouse could not start: ${message} (${code})\n`;
  return `Gatehouse could not start: ${stack ?? String(error)}\n`;
}
