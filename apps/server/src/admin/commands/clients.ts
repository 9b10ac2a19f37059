import type { Command } from 'commander';
import type { Administration, CommonOptions, Perform } from '../task.js';
import { clientBlocks } from './client-blocks.js';
import { clientCreation } from './client-creation.js';
import { idCommand, listCommand, type ListOptions } from './common-options.js';
import { describeSecret } from './client-secret.js';

const COLUMNS = [
  'id',
  'name',
  'kind',
  'auth',
  'createdAt',
  'lastUsedAt',
  'blocked',
  'blockedHosts',
];

/** `clients …` */
export function clientsCommands(program: Command, perform: Perform): void {
  const clients = program.command('clients').description('OAuth clients');

  listCommand(clients, 'list', 'clients, newest first').action(async (options: ListOptions) => {
    const run = async (to: Administration) =>
      ({ kind: 'list', page: await to.clients.list(options), columns: COLUMNS }) as const;
    await perform({ run }, options);
  });

  idCommand(clients, 'show', 'one client').action(async (id: string, options: CommonOptions) => {
    const run = async (to: Administration) =>
      ({ kind: 'record', record: await to.clients.show(id) }) as const;
    await perform({ run }, options);
  });

  clientCreation(clients, perform);
  clientBlocks(clients, perform);

  idCommand(clients, 'delete', 'remove a client and end its grants').action(
    async (id: string, options: CommonOptions) => {
      await perform(
        {
          question: async (to) => `Delete ${await nameOf(to, id)}?`,
          run: async (to) => {
            const record = await to.clients.remove(id, to.actor);
            return { kind: 'done', record, sentence: `Deleted: ${record.endedApps} apps ended.` };
          },
        },
        options,
      );
    },
  );

  idCommand(clients, 'rotate-secret', 'give a client another secret').action(
    async (id: string, options: CommonOptions) => {
      await perform(
        {
          question: async (to) => `Make the secret of ${await nameOf(to, id)} worthless?`,
          run: async (to) => {
            const record = { ...(await to.clients.rotateSecret(id, to.actor)) };
            return { kind: 'done', record, sentence: describeSecret(record) };
          },
        },
        options,
      );
    },
  );
}

async function nameOf({ clients }: Administration, id: string): Promise<string> {
  const { name, apps } = await clients.show(id);
  return `${name ?? 'a nameless client'} (${id}, connected ${apps} times)`;
}
