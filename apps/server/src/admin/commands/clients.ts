import { Argument, type Command, Option } from 'commander';
import { CLIENT_AUTH_CHOICES, type NewClient } from '#libs/oauth';
import { ArgumentError, unshielded } from '../arguments.js';
import {
  type Administration,
  command,
  type CommonOptions,
  idCommand,
  listCommand,
  type ListOptions,
  type Perform,
} from '../task.js';

interface Issued {
  readonly id: string;
  readonly secret: string | null;
}

/** The text that shows a client's id and secret; the secret is shown once only. */
const describeSecret = ({ id, secret }: Issued): string =>
  secret === null
    ? `Client id: ${id}. It is a public client and has no secret.`
    : `Client id: ${id}. Secret, shown this once: ${secret}`;

interface CreateOptions extends CommonOptions {
  readonly name: string;
  readonly redirectUri: string[];
  readonly auth: NewClient['auth'];
}

/** `clients create` */
function clientCreation(clients: Command, perform: Perform): void {
  const authentication = new Option('--auth <method>', 'how it authenticates')
    .choices(CLIENT_AUTH_CHOICES)
    .default('none');

  command(clients, 'create', 'make a client, which stays until it is deleted')
    .requiredOption('--name <name>', 'what people see')
    .requiredOption('--redirect-uri <uris...>', 'where it may be redirected to')
    .addOption(authentication)
    .action(async (options: CreateOptions) => {
      const { name, redirectUri: redirectUris, auth } = options;
      await perform(
        {
          run: async (to) => {
            const record = { ...(await to.clients.create({ name, redirectUris, auth }, to.actor)) };
            return { kind: 'done', record, sentence: describeSecret(record) };
          },
        },
        options,
      );
    });
}

interface BlockOptions extends CommonOptions {
  readonly redirectHost?: string;
}

type Target = { readonly client: string } | { readonly redirectHost: string };

/** `clients block`, `clients unblock` and `clients blocked-hosts` */
function clientBlocks(clients: Command, perform: Perform): void {
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
