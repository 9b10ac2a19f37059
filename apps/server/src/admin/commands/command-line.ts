import { Command, type ErrorOptions } from 'commander';
import { appsCommands } from './apps.js';
import { auditCommands } from './audit.js';
import { budgetCommands } from './budget.js';
import { clientsCommands } from './clients.js';
import { eventsCommands } from './events.js';
import { invitesCommands } from './invites.js';
import { keysCommands } from './keys.js';
import { usersCommands } from './users.js';
import type { Terminal } from './output.js';
import type { Perform } from './task.js';

/** A command that lists its subcommands when it is given an unknown one. */
export class ListingCommand extends Command {
  override createCommand(name?: string) {
    return new ListingCommand(name);
  }

  override error(message: string, options?: ErrorOptions): never {
    const names = this.commands.map((command) => command.name()).join(', ');
    return super.error(
      options?.code === 'commander.unknownCommand'
        ? message.replace(/^.*/, `$&; the commands are ${names}`)
        : message,
      options,
    );
  }
}

/** All commands. Parsing an invalid command line rejects with CommanderError or ArgumentError. */
export function commandLine(
  perform: Perform,
  terminal: Pick<Terminal, 'print' | 'variables'>,
): Command {
  const program = new ListingCommand('gatehouse admin')
    .description('Administers the Gatehouse on the database of DATABASE_URL.')
    .exitOverride()
    .configureOutput({ writeOut: (text) => void terminal.print(text), writeErr: () => {} })
    .allowExcessArguments(false);
  usersCommands(program, perform);
  clientsCommands(program, perform);
  invitesCommands(program, perform);
  appsCommands(program, perform);
  budgetCommands(program, perform);
  auditCommands(program, perform);
  eventsCommands(program, perform);
  keysCommands(program, terminal);
  return program;
}
