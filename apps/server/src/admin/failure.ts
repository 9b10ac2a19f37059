import { CommanderError } from 'commander';
import { ConfigError } from '../config/config.js';
import { printable } from './printable.js';

/** Whether the operator asked for the help, which has been printed. */
export const isHelp = (error: unknown): boolean =>
  error instanceof CommanderError && error.exitCode === 0;

/**
 * The message for a command that did nothing: one line, or one line per variable when several have an invalid value.
 */
export function describeFailure(error: unknown): string {
  if (error instanceof ConfigError) return `${error.problems.join('\n')}\n`;
  return `${printable(reasonOf(error))}\n`;
}

function reasonOf(error: unknown): string {
  if (error instanceof CommanderError) return usageOf(error);
  const { code, message } = error as NodeJS.ErrnoException;
  return code === undefined ? message : `${message} (${code})`;
}

function usageOf({ code, message }: CommanderError): string {
  if (code === 'commander.help')
    return 'say what to do, such as users list; --help shows everything';
  return message
    .split('\n')
    .join(' ')
    .replace(/^error: /, '');
}
