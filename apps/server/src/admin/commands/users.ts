import type { Command } from 'commander';
import { unshielded } from '../ids.js';
import type { Administration, CommonOptions, Perform } from '../task.js';
import { idCommand, listCommand, type ListOptions } from './common-options.js';
import { userRecovery } from './user-recovery.js';

const COLUMNS = ['id', 'displayName', 'createdAt', 'disabledAt'];

interface UserListOptions extends ListOptions {
  readonly search?: string;
}

/** `users …` */
export function usersCommands(program: Command, perform: Perform): void {
  const users = program.command('users').description('accounts');

  listCommand(users, 'list', 'accounts, newest first')
    .option('--search <text>', 'with that in their display name, or with that id', unshielded)
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

  idCommand(users, 'show', 'one account').action(async (id: string, options: CommonOptions) => {
    const run = async (to: Administration) =>
      ({ kind: 'record', record: await to.users.show(id) }) as const;
    await perform({ run }, options);
  });

  idCommand(users, 'disable', 'sign an account out, and refuse it and its apps').action(
    async (id: string, options: CommonOptions) => {
      await perform(
        {
          question: async (to) => `Disable ${await nameOf(to, id)}?`,
          run: async (to) => {
            const record = await to.users.disable(id, to.actor);
            return { kind: 'done', record, sentence: `Disabled: ${record.displayName}.` };
          },
        },
        options,
      );
    },
  );

  idCommand(users, 'enable', 'give an account its passkeys and apps back').action(
    async (id: string, options: CommonOptions) => {
      const run = async (to: Administration) => {
        const record = await to.users.enable(id, to.actor);
        return { kind: 'done', record, sentence: `Enabled: ${record.displayName}.` } as const;
      };
      await perform({ run }, options);
    },
  );

  idCommand(users, 'sign-out', 'end all sessions of an account').action(
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

  userRecovery(users, perform);

  idCommand(users, 'delete', 'delete an account and all that belongs to it').action(
    async (id: string, options: CommonOptions) => {
      await perform(
        {
          question: async (to) => `Delete ${await nameOf(to, id)} for ever?`,
          run: async (to) => {
            const record = await to.users.remove(id, to.actor);
            return { kind: 'done', record, sentence: `Deleted: ${record.displayName}.` };
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
