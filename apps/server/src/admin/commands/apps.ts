import type { Command } from 'commander';
import { unshielded } from '../arguments.js';
import {
  type CommonOptions,
  idCommand,
  listCommand,
  type ListOptions,
  type Perform,
} from '../task.js';

const COLUMNS = ['id', 'app', 'client', 'scope', 'lastUsedAt', 'expiresAt'];

interface AppListOptions extends ListOptions {
  readonly user: string;
}

/** `apps …` */
export function appsCommands(program: Command, perform: Perform): void {
  const apps = program.command('apps').description('connected apps of accounts');

  listCommand(apps, 'list', 'apps of one account, newest first')
    .requiredOption('--user <id>', 'the account', unshielded)
    .action(async (options: AppListOptions) => {
      const { user, limit, after } = options;
      await perform(
        {
          run: async (to) => {
            const page = await to.apps.list({ user, limit, after });
            return { kind: 'list', page, columns: COLUMNS };
          },
        },
        options,
      );
    });

  idCommand(apps, 'revoke', 'disconnect an app').action(
    async (id: string, options: CommonOptions) => {
      await perform(
        {
          question: async (to) => {
            const { app, user } = await to.apps.show(id);
            return `Disconnect ${app} from account ${user}?`;
          },
          run: async (to) => {
            const record = await to.apps.revoke(id, to.actor);
            return { kind: 'done', record, sentence: `Disconnected: ${record.app}.` };
          },
        },
        options,
      );
    },
  );
}
