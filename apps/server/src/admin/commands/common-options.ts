import type { Command } from 'commander';
import { ROWS } from '../../administration/values.js';
import { parseActor, parseLimit } from '../arguments.js';
import { unshielded } from '../ids.js';
import type { CommonOptions } from '../task.js';

export interface ListOptions extends CommonOptions {
  readonly limit: number;
  readonly after?: string;
}

/** A command with the options that all commands share. */
const plainCommand = (parent: Command, usage: string, description: string): Command =>
  parent
    .command(usage)
    .description(description)
    .option('--json', 'one JSON document, for scripts')
    .option('--yes', 'do it without asking');

/** A command that may change something. */
export const command = (parent: Command, usage: string, description: string): Command =>
  plainCommand(parent, usage, description).option(
    '--actor <name>',
    'who does it; SUDO_USER or the user by default',
    parseActor,
  );

/** A command about one item, given by its id. */
export const idCommand = (parent: Command, name: string, description: string): Command =>
  command(parent, name, description).argument('<id>', 'as the list shows it', unshielded);

/** A command that lists items, a page at a time. */
export const listCommand = (parent: Command, usage: string, description: string): Command =>
  plainCommand(parent, usage, description)
    .option('--limit <rows>', 'at most this many rows', parseLimit, ROWS.default)
    .option('--after <id>', 'those after the last one shown', unshielded);
