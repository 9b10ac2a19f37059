import type { Command } from 'commander';
import type { SecurityEventType } from '#libs/accounts';
import { ArgumentError, parseEventType, parsePastTime } from '../arguments.js';
import { unshielded } from '../ids.js';
import type { Administration, Perform } from '../task.js';
import { listCommand, type ListOptions } from './common-options.js';

/** What a terminal shows, and how wide it mostly is. */
const WIDTHS = { at: 24, type: 20, user: 22, client: 22, actor: 9, detail: 24, count: 5 };
const COLUMNS = Object.keys(WIDTHS);

interface AuditListOptions extends ListOptions {
  readonly user?: string;
  readonly type?: SecurityEventType;
  readonly since?: number;
  readonly follow?: true;
}

const parseSince = (text: string) => parsePastTime('--since', text);

/** `audit …` */
export function auditCommands(program: Command, perform: Perform): void {
  const audit = program.command('audit').description('the audit trail');

  listCommand(audit, 'list', 'what happened, newest first')
    .option('--user <id>', 'to this account', unshielded)
    .option('--type <type>', 'of this type, such as sign-in', parseEventType)
    .option('--since <time>', 'since a time, or for a duration such as 24h', parseSince)
    .option('--follow', 'go on with what happens from now on, until it is interrupted')
    .action(async (options: AuditListOptions) => {
      const { user, type, since, limit, after } = options;
      if (options.follow && after !== undefined) {
        throw new ArgumentError('--follow goes on by itself and takes no --after');
      }
      if (options.follow) return perform({ run: async (to) => followed(to, options) }, options);
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

function followed(to: Administration, { user, type, since, limit }: AuditListOptions) {
  const rows = to.audit.follow({ user, type, since, limit }, to.interruption());
  return { kind: 'stream', rows, columns: WIDTHS } as const;
}
