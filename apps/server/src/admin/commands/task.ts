import type { Command } from 'commander';
import type { AdministrationServices } from '../administration.module.js';
import { ROWS } from '../operation/values.js';
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
  readonly question?: (to: Administration) => Promise<string>;
  readonly run: (to: Administration) => Promise<Output | RowStream>;
}

export interface CommonOptions {
  readonly json?: true;
  readonly yes?: true;
  /** The actor, for the audit trail. */
  readonly actor?: string;
}

export type Perform = (task: Task, options: CommonOptions) => Promise<void>;

export interface ListOptions extends CommonOptions {
  readonly limit: number;
  readonly after?: string;
}

/**
 * The commands about one noun, such as `users`. A `taskOf` gets the arguments of the command and then its options, as
 * commander passes them, and throws ArgumentError where they do not go together.
 */
export class CommandGroup {
  private readonly group: Command;

  constructor(
    program: Command,
    private readonly perform: Perform,
    name: string,
    description: string,
  ) {
    this.group = program.command(name).description(description);
  }

  /** A command that may change something. */
  add<Given extends readonly unknown[]>(
    name: string,
    description: string,
    taskOf: (...given: Given) => Task,
  ): Command {
    return this.addPlain(name, description, taskOf).option(
      '--actor <name>',
      'who does it; SUDO_USER or the user by default',
      parseActor,
    );
  }

  addWithId<Given extends readonly unknown[]>(
    name: string,
    description: string,
    taskOf: (id: string, ...given: Given) => Task,
  ): Command {
    return this.add(name, description, taskOf).argument('<id>', 'as the list shows it', unshielded);
  }

  addList<Options extends ListOptions>(
    name: string,
    description: string,
    taskOf: (options: Options) => Task,
  ): Command {
    return this.addPlain(name, description, taskOf)
      .option('--limit <rows>', 'at most this many rows', parseLimit, ROWS.default)
      .option('--after <id>', 'those after the last one shown', unshielded);
  }

  /** A command with the options that all commands share. */
  private addPlain<Given extends readonly unknown[]>(
    name: string,
    description: string,
    taskOf: (...given: Given) => Task,
  ): Command {
    const command = this.group
      .command(name)
      .description(description)
      .option('--json', 'one JSON document, for scripts')
      .option('--yes', 'do it without asking');
    return command.action(async (...given: unknown[]) =>
      this.perform(taskOf(...(given as unknown as Given)), command.opts<CommonOptions>()),
    );
  }
}
