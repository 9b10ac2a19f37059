import type { Command } from 'commander';
import { unshielded } from './arguments.js';
import { done, listed } from './output.js';
import { CommandGroup, type ListOptions, type Perform } from './task.js';

const COLUMNS = ['id', 'app', 'client', 'scope', 'lastUsedAt', 'expiresAt'];

/** Members that few apps have: those of a further resource, and those that a trusted issuer decides about. */
const FURTHER = ['resource', 'managedBy'] as const;

type FurtherMembers = { readonly [Name in (typeof FURTHER)[number]]?: string };

const columnsFor = (apps: readonly FurtherMembers[]) => [
  ...COLUMNS,
  ...FURTHER.filter((name) => apps.some((app) => app[name] !== undefined)),
];

export function appsCommands(program: Command, perform: Perform): void {
  const apps = new CommandGroup(program, perform, 'apps', 'connected apps of accounts');

  apps
    .addList(
      'list',
      'apps of one account, newest first',
      (options: ListOptions & { readonly user: string }) => ({
        run: async (to) => {
          const page = await to.apps.list(options);
          return listed(columnsFor(page.items), page);
        },
      }),
    )
    .requiredOption('--user <id>', 'the account', unshielded);

  apps.addWithId('revoke', 'disconnect an app', (id) => ({
    question: async (to) => {
      const { app, user } = await to.apps.show(id);
      return `Disconnect ${app} from account ${user}?`;
    },
    run: (to) => done(to.apps.revoke(id, to.actor), (record) => `Disconnected: ${record.app}.`),
  }));
}
