import { type Command, Option } from 'commander';
import { CLIENT_AUTH_CHOICES, type NewClient } from '#libs/oauth';
import type { BlockTarget } from '../../administration/clients.service.js';
import { ArgumentError, unshielded } from '../arguments.js';
import { done, listed, shown } from '../output.js';
import {
  type Administration,
  CommandGroup,
  type CommonOptions,
  type Perform,
  type Task,
} from '../task.js';

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
const HOST_COLUMNS = ['redirectHost', 'blockedAt'];

interface CreateOptions extends CommonOptions {
  readonly name: string;
  readonly redirectUri: string[];
  readonly auth: NewClient['auth'];
}

interface BlockOptions extends CommonOptions {
  readonly redirectHost?: string;
}

/** `clients …` */
export function clientsCommands(program: Command, perform: Perform): void {
  const clients = new CommandGroup(
    program.command('clients').description('OAuth clients'),
    perform,
  );

  clients.addList('list', 'clients, newest first', (options) => ({
    run: async (to) => listed(COLUMNS, await to.clients.list(options)),
  }));

  clients.addWithId('show', 'one client', (id) => ({
    run: async (to) => shown(await to.clients.show(id)),
  }));

  clients
    .add(
      'create',
      'make a client, which stays until it is deleted',
      ({ name, redirectUri: redirectUris, auth }: CreateOptions) => ({
        run: async (to) =>
          withSecret(await to.clients.create({ name, redirectUris, auth }, to.actor)),
      }),
    )
    .requiredOption('--name <name>', 'what people see')
    .requiredOption('--redirect-uri <uris...>', 'where it may be redirected to')
    .addOption(
      new Option('--auth <method>', 'how it authenticates')
        .choices(CLIENT_AUTH_CHOICES)
        .default('none'),
    );

  const addForTarget = (name: string, description: string, taskOf: (target: BlockTarget) => Task) =>
    clients
      .add(name, description, (id: string | undefined, options: BlockOptions) =>
        taskOf(targetOf(id, options)),
      )
      .argument('[id]', 'as the list shows it', unshielded)
      .option('--redirect-host <host>', 'or every client that sends the browser back to this host');

  addForTarget('block', 'keep a client out', (target) => ({
    question: async () => `Keep ${describe(target)} out?`,
    run: async (to) =>
      done(await to.clients.block(target, to.actor), `Blocked: ${describe(target)}.`),
  }));

  clients.addList(
    'blocked-hosts',
    'redirect hosts that are blocked, the last one first',
    (options) => ({
      run: async (to) => listed(HOST_COLUMNS, await to.clients.listBlockedHosts(options)),
    }),
  );

  addForTarget('unblock', 'let a client in again, with the apps it had', (target) => ({
    run: async (to) => {
      const record = await to.clients.unblock(target, to.actor);
      return done(record, `Not blocked any more: ${describe(target)}.`);
    },
  }));

  clients.addWithId('delete', 'remove a client and end its grants', (id) => ({
    question: async (to) => `Delete ${await nameOf(to, id)}?`,
    run: async (to) => {
      const record = await to.clients.remove(id, to.actor);
      return done(record, `Deleted: ${record.endedApps} apps ended.`);
    },
  }));

  clients.addWithId('rotate-secret', 'give a client another secret', (id) => ({
    question: async (to) => `Make the secret of ${await nameOf(to, id)} worthless?`,
    run: async (to) => withSecret(await to.clients.rotateSecret(id, to.actor)),
  }));
}

async function nameOf({ clients }: Administration, id: string): Promise<string> {
  const { name, apps } = await clients.show(id);
  return `${name ?? 'a nameless client'} (${id}, connected ${apps} times)`;
}

interface Issued {
  readonly id: string;
  readonly secret: string | null;
}

/** A client's id with its secret, which is shown once only. */
const withSecret = ({ id, secret }: Issued) =>
  done(
    { id, secret },
    secret === null
      ? `Client id: ${id}. It is a public client and has no secret.`
      : `Client id: ${id}. Secret, shown this once: ${secret}`,
  );

function targetOf(id: string | undefined, { redirectHost }: BlockOptions): BlockTarget {
  if (id !== undefined && redirectHost === undefined) return { client: id };
  if (id === undefined && redirectHost !== undefined) return { redirectHost };
  throw new ArgumentError('name either a client or a --redirect-host');
}

const describe = (target: BlockTarget) =>
  'client' in target
    ? `client ${target.client}`
    : `clients that redirect to ${target.redirectHost}`;
