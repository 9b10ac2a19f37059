import { type Command, Option } from 'commander';
import { parseOrigin, unshielded } from '../arguments.js';
import {
  type Administration,
  type CommonOptions,
  idCommand,
  listCommand,
  type ListOptions,
  type Perform,
} from '../task.js';

interface RecoverOptions extends CommonOptions {
  readonly origin?: string;
  readonly revoke?: true;
}

/** `users recover` */
function userRecovery(users: Command, perform: Perform): void {
  const revoke = new Option('--revoke', 'end the link that was made').conflicts('origin');
  idCommand(users, 'recover', 'make a link that lets a person in once, within 24 hours')
    .option('--origin <origin>', 'where the link leads, such as https://gate.example', parseOrigin)
    .addOption(revoke)
    .action(async (id: string, options: RecoverOptions) => {
      const run = async (to: Administration) => {
        if (options.revoke) return revokeLink(to, id);
        const record = await to.recovery.createLink(id, options.origin, to.actor);
        return { kind: 'done', record, sentence: record.link } as const;
      };
      await perform({ run }, options);
    });
}

async function revokeLink(to: Administration, id: string) {
  const record = await to.recovery.revokeLink(id, to.actor);
  const sentence = record.revoked
    ? `Revoked: the recovery link of ${id}.`
    : `There is no recovery link of ${id}.`;
  return { kind: 'done', record, sentence } as const;
}

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
