import { readConfig } from '../config/config.js';
import { ArgumentError } from './arguments.js';
import { commandLine } from './command-line.js';
import { confirm, isTerminal } from './confirmation.js';
import { describeFailure, isHelp } from './failure.js';
import { shieldIds } from './ids.js';
import { toJson, toText } from './output.js';
import type { CommonOptions, Task } from './task.js';

/** Runs the command line as this process. Exit code 1, and a line on stderr, when it did nothing. */
export async function runAdmin(args: readonly string[]): Promise<never> {
  try {
    await commandLine(perform).parseAsync(shieldIds(args), { from: 'user' });
  } catch (error) {
    if (isHelp(error)) process.exit(0);
    process.stderr.write(describeFailure(error));
    process.exit(1);
  }
  process.exit(0);
}

async function perform({ question, run }: Task, { json, yes }: CommonOptions): Promise<void> {
  const asks = question !== undefined && !yes;
  if (asks && !isTerminal()) {
    throw new ArgumentError('nobody can be asked here whether to do it: --yes answers');
  }
  // Everything else is loaded when it is known that it is needed.
  const { withAdministration } = await import('./administration.adapter.js');
  const output = await withAdministration(readConfig(), async (administration) => {
    if (asks) await confirm(await question(administration));
    return run(administration);
  });
  process.stdout.write(json ? toJson(output) : toText(output));
}
