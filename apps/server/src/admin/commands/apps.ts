import type { Command } from 'commander';
import { unshielded } from '../arguments.js';
import { done, listed } from '../output.js';
import { CommandGroup, type ListOptions, type Perform } from '../task.js';

const COLUMNS = ['id', 'app', 'client', 'scope', 'lastUsedAt', 'expiresAt'];

interface AppListOptions extends ListOptions {
  readonly user: string;
}

/** `apps …` */
export function appsCommands(program: Command, perform: Perform): void {
  const apps = new CommandGroup(
    program.command('apps').description('connected apps of accounts'),
    perform,
  );

  apps
    .addList('list', 'apps of one account, newest first', (options: AppListOptions) => ({
      run: async (to) => listed(COLUMNS, await to.apps.list(options)),
    }))
    .requiredOption('--user <id>', 'the account', unshielded);

  apps.addWithId('revoke', 'disconnect an app', (id) => ({
    question: async (to) => {
      const { app, user } = await to.apps.show(id);
      return `Disconnect ${app} from account ${user}?`;
    },
    run: async (to) => {
      const record = await to.apps.revoke(id, to.actor);
      return done(record, `Disconnected: ${record.app}.`);
    },
  }));
}
