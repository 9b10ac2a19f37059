import type { Command } from 'commander';
import type { Administration, CommonOptions, Perform } from '../task.js';
import { command, listCommand, type ListOptions } from './common-options.js';

const COLUMNS = ['id', 'displayName', 'createdAt'];

interface UserListOptions extends ListOptions {
  readonly search?: string;
}

/** `users …` */
export function usersCommands(program: Command, perform: Perform): void {
  const users = program.command('users').description('accounts');

  listCommand(users, 'list', 'accounts, newest first')
    .option('--search <text>', 'with that in their display name, or with that id')
    .action(async (options: UserListOptions) => {
      const { search, limit, after } = options;
      await perform(
        {
          run: async (to) => {
            const page = await to.users.list({ search, limit, after });
            return { kind: 'list', page, columns: COLUMNS };
          },
        },
        options,
      );
    });

  command(users, 'show <id>', 'one account').action(async (id: string, options: CommonOptions) => {
    const run = async (to: Administration) =>
      ({ kind: 'record', record: await to.users.show(id) }) as const;
    await perform({ run }, options);
  });

  command(users, 'sign-out <id>', 'end all sessions of an account').action(
    async (id: string, options: CommonOptions) => {
      await perform(
        {
          question: async (to) => `Sign ${await nameOf(to, id)} out everywhere?`,
          run: async (to) => {
            const record = await to.users.signOut(id, to.actor);
            const sentence = `Signed out: ${record.endedSessions} sessions ended.`;
            return { kind: 'done', record, sentence };
          },
        },
        options,
      );
    },
  );
}

async function nameOf({ users }: Administration, id: string): Promise<string> {
  const { displayName } = await users.show(id);
  return `${displayName} (${id})`;
}
