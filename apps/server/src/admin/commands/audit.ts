import type { Command } from 'commander';
import type { SecurityEventType } from '#libs/accounts';
import { parseEventType, parsePastTime } from '../arguments.js';
import { unshielded } from '../ids.js';
import type { Perform } from '../task.js';
import { listCommand, type ListOptions } from './common-options.js';

const COLUMNS = ['at', 'type', 'user', 'client', 'actor', 'detail', 'count'];

interface AuditListOptions extends ListOptions {
  readonly user?: string;
  readonly type?: SecurityEventType;
  readonly since?: number;
}

const parseSince = (text: string) => parsePastTime('--since', text);

/** `audit …` */
export function auditCommands(program: Command, perform: Perform): void {
  const audit = program.command('audit').description('the audit trail');

  listCommand(audit, 'list', 'what happened, newest first')
    .option('--user <id>', 'to this account', unshielded)
    .option('--type <type>', 'of this type, such as sign-in', parseEventType)
    .option('--since <time>', 'since a time, or for a duration such as 24h', parseSince)
    .action(async (options: AuditListOptions) => {
      const { user, type, since, limit, after } = options;
      await perform(
        {
          run: async (to) => {
            const page = await to.audit.list({ user, type, since, limit, after });
            return { kind: 'list', page, columns: COLUMNS };
          },
        },
        options,
      );
    });
}
