import { createInterface } from 'node:readline/promises';
import { ArgumentError } from './arguments.js';
import { printable } from './printable.js';

/** Whether somebody can be asked. */
export const isTerminal = (): boolean => process.stdin.isTTY && process.stderr.isTTY;

/** Asks on the terminal, not on stdout. @throws ArgumentError for any answer but yes */
export async function confirm(question: string): Promise<void> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const stopped = new AbortController();
  terminal.once('close', () => stopped.abort());
  const answer = await terminal
    .question(`${printable(question)} [y/N] `, { signal: stopped.signal })
    .catch(() => 'n');
  terminal.close();
  if (!/^\s*y(?:es)?\s*$/i.test(answer)) throw new ArgumentError('nothing was changed');
}
