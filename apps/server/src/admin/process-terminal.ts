import { createInterface } from 'node:readline/promises';
import { ArgumentError } from './arguments.js';
import { printable } from './printable.js';
import type { Terminal } from './terminal.js';

/** The terminal that this process was started at, or its replacement such as a pipe. */
export function processTerminal(): Terminal {
  const stopped = new AbortController();
  const stop = () => stopped.abort();
  // The reader closed the pipe: this ends the command and is not an error.
  process.stdout.on('error', stop);
  return {
    variables: process.env,
    isInteractive: process.stdin.isTTY && process.stderr.isTTY,
    confirm,
    print: (text) =>
      new Promise((resolve) => {
        process.stdout.write(text, () => resolve());
      }),
    warn: (text) => void process.stderr.write(text),
    interruption: () => {
      process.once('SIGINT', stop).once('SIGTERM', stop);
      return stopped.signal;
    },
  };
}

async function confirm(question: string): Promise<void> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const stopped = new AbortController();
  terminal.once('close', () => stopped.abort());
  const answer = await terminal
    .question(`${printable(question)} [y/N] `, { signal: stopped.signal })
    .catch(() => 'n');
  terminal.close();
  if (!/^\s*y(?:es)?\s*$/i.test(answer)) throw new ArgumentError('nothing was changed');
}
