import type { Command } from 'commander';
import { parseFutureTime, parseUses } from './arguments.js';
import { done, listed } from './output.js';
import { CommandGroup, type CommonOptions, type Perform } from './task.js';

const COLUMNS = ['id', 'usesLeft', 'uses', 'createdAt', 'createdBy', 'expiresAt'];
const DEFAULT_USES = 1;

interface CreateOptions extends CommonOptions {
  readonly uses: number;
  readonly expires?: number;
}

export function invitesCommands(program: Command, perform: Perform): void {
  const invites = new CommandGroup(
    program,
    perform,
    'invites',
    'invitation codes, for SIGN_UP=invite',
  );
  const endOf = (text: string) => parseFutureTime('--expires', text);

  invites
    .add('create', 'make a code that lets people create accounts', (options: CreateOptions) => ({
      run: (to) =>
        done(to.invites.create(options, to.actor), ({ id, code, uses, expiresAt }) => {
          const accounts = uses === 1 ? '1 account' : `${uses} accounts`;
          return `Invite ${id}: ${accounts} until ${expiresAt}. Code, shown this once: ${code}`;
        }),
    }))
    .option('--uses <accounts>', 'how many accounts it is for', parseUses, DEFAULT_USES)
    .option('--expires <time>', 'when it ends, 7d by default', endOf);

  invites.addList('list', 'codes that have not expired, newest first', (options) => ({
    run: async (to) => listed(COLUMNS, await to.invites.list(options)),
  }));

  invites.addWithId('delete', 'make a code worthless; its accounts stay', (id) => ({
    question: async (to) => {
      const { uses, usesLeft } = await to.invites.show(id);
      return `Delete invite ${id}, with ${usesLeft} of ${uses} uses left?`;
    },
    run: (to) => done(to.invites.remove(id, to.actor), () => `Deleted: invite ${id}.`),
  }));
}
