import type { Command } from 'commander';
import { parseFutureTime, parseUses } from '../arguments.js';
import {
  type Administration,
  command,
  type CommonOptions,
  idCommand,
  listCommand,
  type ListOptions,
  type Perform,
} from '../task.js';

const COLUMNS = ['id', 'usesLeft', 'uses', 'createdAt', 'createdBy', 'expiresAt'];
const DEFAULT_USES = 1;

interface CreateOptions extends CommonOptions {
  readonly uses: number;
  readonly expires?: number;
}

/** `invites …` */
export function invitesCommands(program: Command, perform: Perform): void {
  const invites = program.command('invites').description('invitation codes, for SIGN_UP=invite');
  const endOf = (text: string) => parseFutureTime('--expires', text);

  command(invites, 'create', 'make a code that lets people create accounts')
    .option('--uses <accounts>', 'how many accounts it is for', parseUses, DEFAULT_USES)
    .option('--expires <time>', 'when it ends, 7d by default', endOf)
    .action(async (options: CreateOptions) => {
      const asked = { uses: options.uses, expiresAt: options.expires };
      const run = async (to: Administration) => {
        const record = await to.invites.create(asked, to.actor);
        return { kind: 'done', record, sentence: describe(record) } as const;
      };
      await perform({ run }, options);
    });

  listCommand(invites, 'list', 'codes that have not expired, newest first').action(
    async (options: ListOptions) => {
      const run = async (to: Administration) =>
        ({ kind: 'list', page: await to.invites.list(options), columns: COLUMNS }) as const;
      await perform({ run }, options);
    },
  );

  idCommand(invites, 'delete', 'make a code worthless; its accounts stay').action(
    async (id: string, options: CommonOptions) => {
      await perform(
        {
          question: async (to) => {
            const { uses, usesLeft } = await to.invites.show(id);
            return `Delete invite ${id}, with ${usesLeft} of ${uses} uses left?`;
          },
          run: async (to) => {
            const record = await to.invites.remove(id, to.actor);
            return { kind: 'done', record, sentence: `Deleted: invite ${id}.` };
          },
        },
        options,
      );
    },
  );
}

interface Issued {
  readonly id: string;
  readonly code: string;
  readonly uses: number;
  readonly expiresAt: string;
}

const describe = ({ id, code, uses, expiresAt }: Issued): string =>
  `Invite ${id}: ${uses === 1 ? '1 account' : `${uses} accounts`} until ${expiresAt}. Code, shown this once: ${code}`;
