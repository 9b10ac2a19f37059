import type { Extension } from '../app.module-definition.js';
import { readConfig } from '../config/config.js';
import type { Surroundings } from './administration.adapter.js';
import { ArgumentError } from './arguments.js';
import { commandLine } from './command-line.js';
import { describeFailure, isHelp } from './failure.js';
import { shieldIds } from './ids.js';
import { linesOf, toJson, toText } from './output.js';
import type { CommonOptions, Task } from './task.js';
import type { Terminal } from './terminal.js';

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
  at: Surroundings,
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
  const { withAdministration } = await import('./administration.adapter.js');
  const config = readConfig(terminal.variables);
  const output = await withAdministration(config, { ...at, actor }, async (administration) => {
    if (asks) await terminal.confirm(await question(administration));
    const result = await run(administration);
    if (result.kind !== 'stream') return result;
    for await (const line of linesOf(result, json === true)) await terminal.print(line);
    return undefined;
  });
  if (output) await terminal.print(json ? toJson(output) : toText(output));
}
