import type { Command } from 'commander';
import type { AuditFilter } from '../../audit/audit-reader.store.js';
import { ArgumentError, parseEventType, parsePastTime, unshielded } from './arguments.js';
import { listed } from './output.js';
import { CommandGroup, type ListOptions, type Perform } from './task.js';

/** The columns that a terminal shows, with their usual width in characters. */
const WIDTHS = { at: 24, type: 20, user: 22, client: 22, actor: 9, detail: 24, count: 5 };
const COLUMNS = Object.keys(WIDTHS);

type AuditListOptions = ListOptions & AuditFilter & { readonly follow?: true };

const parseSince = (text: string) => parsePastTime('--since', text);
const parseUntil = (text: string) => parsePastTime('--until', text);

export function auditCommands(program: Command, perform: Perform): void {
  const audit = new CommandGroup(program, perform, 'audit', 'the audit trail');

  audit
    .addList('list', 'what happened, newest first', (options: AuditListOptions) => {
      if (!options.follow) {
        return { run: async (to) => listed(COLUMNS, await to.audit.list(options)) };
      }
      if (options.after !== undefined) {
        throw new ArgumentError('--follow goes on by itself and takes no --after');
      }
      return {
        run: async (to) => {
          const rows = await to.audit.follow(options, to.interruption());
          return { rows, columns: WIDTHS };
        },
      };
    })
    .option('--user <id>', 'to this account', unshielded)
    .option('--type <type>', 'of this type, such as sign-in', parseEventType)
    .option('--client <id>', 'with this client', unshielded)
    .option('--request <id>', 'by this request, as X-Request-Id and the log have it', unshielded)
    .option('--network <hash>', 'from this network, as a row has it', unshielded)
    .option('--actor <name>', 'by this one of those who run the service')
    .option('--since <time>', 'since a time, or for a duration such as 24h', parseSince)
    .option('--until <time>', 'until a time, or so long ago', parseUntil)
    .option('--follow', 'go on with what happens from now on, until it is interrupted');
}
