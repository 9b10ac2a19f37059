import type { Command } from 'commander';
import { operationsOf } from '../operation/operation.js';
import { OPERATIONS } from '../operations.js';
import { keysCommands } from './keys.js';
import { ListingCommand } from './listing-command.js';
import { addOperations, variantOf } from './operation-command.js';
import type { Terminal } from './output.js';
import type { Perform } from './task.js';

const GROUPS = {
  users: 'accounts',
  clients: 'OAuth clients',
  invites: 'invitation codes, for SIGN_UP=invite',
  apps: 'connected apps of accounts',
  budget: 'daily budgets of accounts and of machine clients',
  audit: 'the audit trail',
  usage: 'what apps did and what it cost',
  events: 'events that are not delivered',
};

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
  const variants = OPERATIONS.flatMap(operationsOf).flatMap(variantOf);
  const commands = Map.groupBy(variants, ({ command }) => command);
  for (const [group, description] of Object.entries(GROUPS)) {
    const under = program.command(group).description(description);
    for (const [name, ofCommand] of commands) {
      if (name.startsWith(`${group} `)) addOperations(under, ofCommand, perform);
    }
  }
  keysCommands(program, terminal);
  return program;
}
