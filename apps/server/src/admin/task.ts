import type { Command } from 'commander';
import type { AdministrationServices } from '../administration/administration.module.js';
import { ROWS } from '../administration/values.js';
import { parseActor, parseLimit, unshielded } from './arguments.js';
import type { Output, RowStream } from './output.js';

/** The administration services, and the actor who uses them. */
export interface Administration extends AdministrationServices {
  readonly actor: string;
  /** Aborted when a command that runs without end has to stop. */
  interruption(): AbortSignal;
}

/** The work that a command line asks for. */
export interface Task {
  /**
   * The question to confirm before `run` where the change cannot be undone; fails as `run` would for an unknown id.
   */
  readonly question?: (administration: Administration) => Promise<string>;
  readonly run: (administration: Administration) => Promise<Output | RowStream>;
}

/** Options of every command. */
export interface CommonOptions {
  readonly json?: true;
  readonly yes?: true;
  /** The actor, for the audit trail. */
  readonly actor?: string;
}

/** Runs a task. */
export type Perform = (task: Task, options: CommonOptions) => Promise<void>;

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
