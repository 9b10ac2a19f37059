import type { Command } from 'commander';
import { appsCommands } from './commands/apps.js';
import { auditCommands } from './commands/audit.js';
import { budgetCommands } from './commands/budget.js';
import { clientsCommands } from './commands/clients.js';
import { eventsCommands } from './commands/events.js';
import { invitesCommands } from './commands/invites.js';
import { usersCommands } from './commands/users.js';
import { ListingCommand } from './listing-command.js';
import type { Perform } from './task.js';
import type { Terminal } from './terminal.js';

/** All commands. Parsing an invalid command line rejects with CommanderError or ArgumentError. */
export function commandLine(perform: Perform, { print }: Pick<Terminal, 'print'>): Command {
  const program = new ListingCommand('gatehouse admin')
    .description('Administers the Gatehouse on the database of DATABASE_URL.')
    .exitOverride()
    .configureOutput({ writeOut: (text) => void print(text), writeErr: () => {} })
    .allowExcessArguments(false);
  usersCommands(program, perform);
  clientsCommands(program, perform);
  invitesCommands(program, perform);
  appsCommands(program, perform);
  budgetCommands(program, perform);
  auditCommands(program, perform);
  eventsCommands(program, perform);
  return program;
}
