import { createInterface } from 'node:readline/promises';
import { CommanderError } from 'commander';
import type { Extension } from '../app.module-definition.js';
import { ConfigError, readConfig } from '../config/config.js';
import { shieldIds } from '../admin/commands/operation-command.js';
import { commandLine } from '../admin/commands/command-line.js';
import { linesOf, outputText, printable, type Terminal } from '../admin/commands/output.js';
import { ArgumentError, type CommonOptions, type Task } from '../admin/commands/task.js';
import type { CommandContext } from './administration.js';

const isHelp = (error: unknown): boolean => error instanceof CommanderError && error.exitCode === 0;

/**
 * The message for a command that did nothing: one line, or one line per variable when several have an invalid value.
 */
function describeFailure(error: unknown): string {
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
  return message.replaceAll('\n', ' ').replace(/^error: /, '');
}

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

/** Runs one command. Resolves to the exit code: 1, with a line on stderr, when the command did nothing. */
export async function runAdmin(
  args: readonly string[],
  terminal: Terminal,
  extensions: readonly Extension[] = [],
): Promise<0 | 1> {
  const perform = (task: Task, options: CommonOptions) =>
    performAt({ terminal, extensions }, task, options);
  try {
    await commandLine(perform, terminal).parseAsync(shieldIds(args), { from: 'user' });
    return 0;
  } catch (error) {
    if (isHelp(error)) return 0;
    terminal.warn(describeFailure(error));
    return 1;
  }
}

async function performAt(
  at: CommandContext,
  { question, run }: Task,
  { json, yes, actor }: CommonOptions,
): Promise<void> {
  const { terminal } = at;
  const asks = question !== undefined && !yes;
  if (asks && !terminal.isInteractive) {
    throw new ArgumentError(
      'this needs a confirmation, and there is no terminal to ask: pass --yes',
    );
  }
  // Loaded here, after parsing: a help text or an invalid command line does not need the rest.
  const { withAdministration } = await import('./administration.js');
  const config = readConfig(terminal.variables);
  const output = await withAdministration(config, { ...at, actor }, async (administration) => {
    if (asks) await terminal.confirm(await question(administration));
    const result = await run(administration);
    if ('json' in result) return result;
    for await (const line of linesOf(result, json === true)) await terminal.print(line);
    return undefined;
  });
  if (output) await terminal.print(outputText(output, json === true));
}
