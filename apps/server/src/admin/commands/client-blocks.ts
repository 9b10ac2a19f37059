import { Argument, type Command } from 'commander';
import { ArgumentError } from '../arguments.js';
import { unshielded } from '../ids.js';
import type { Administration, CommonOptions, Perform } from '../task.js';
import { command, listCommand, type ListOptions } from './common-options.js';

interface BlockOptions extends CommonOptions {
  readonly redirectHost?: string;
}

type Target = { readonly client: string } | { readonly redirectHost: string };

/** `clients block`, `clients unblock` and `clients blocked-hosts` */
export function clientBlocks(clients: Command, perform: Perform): void {
  blockCommand(clients, 'block', 'keep a client out').action(
    async (id: string | undefined, options: BlockOptions) => {
      const target = targetOf(id, options);
      await perform(
        {
          question: async () => `Keep ${describe(target)} out?`,
          run: async (to) => {
            const record = await to.blocks.block(target, to.actor);
            return { kind: 'done', record, sentence: `Blocked: ${describe(target)}.` };
          },
        },
        options,
      );
    },
  );

  listCommand(
    clients,
    'blocked-hosts',
    'redirect hosts that are blocked, the last one first',
  ).action(async (options: ListOptions) => {
    const run = async (to: Administration) =>
      ({ kind: 'list', page: await to.blocks.listHosts(options), columns: HOST_COLUMNS }) as const;
    await perform({ run }, options);
  });

  blockCommand(clients, 'unblock', 'let a client in again, with the apps it had').action(
    async (id: string | undefined, options: BlockOptions) => {
      const target = targetOf(id, options);
      await perform(
        {
          run: async (to) => {
            const record = await to.blocks.unblock(target, to.actor);
            return { kind: 'done', record, sentence: `Not blocked any more: ${describe(target)}.` };
          },
        },
        options,
      );
    },
  );
}

const HOST_COLUMNS = ['redirectHost', 'blockedAt'];

const blockCommand = (parent: Command, name: string, description: string) =>
  command(parent, name, description)
    .addArgument(new Argument('[id]', 'as the list shows it').argParser(unshielded))
    .option('--redirect-host <host>', 'or every client that sends the browser back to this host');

function targetOf(id: string | undefined, { redirectHost }: BlockOptions): Target {
  if (id !== undefined && redirectHost === undefined) return { client: id };
  if (id === undefined && redirectHost !== undefined) return { redirectHost };
  throw new ArgumentError('name either a client or a --redirect-host');
}

const describe = (target: Target) =>
  'client' in target
    ? `client ${target.client}`
    : `clients that redirect to ${target.redirectHost}`;
