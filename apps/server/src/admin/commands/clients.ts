import { type Command, Option } from 'commander';
import { CLIENT_AUTH_CHOICES, MACHINE_AUTH_CHOICES, type NewClient } from '#libs/oauth';
import type { BlockTarget } from '../clients.service.js';
import { ArgumentError, parseKeySet, unshielded } from './arguments.js';
import { done, listed, shown } from './output.js';
import {
  type Administration,
  CommandGroup,
  type CommonOptions,
  type Perform,
  type Task,
} from './task.js';

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
  readonly auth?: string;
  readonly redirectUri?: string[];
  readonly machine?: true;
  readonly scope?: string[];
  readonly resource?: string;
  readonly jwks?: unknown;
}

interface BlockOptions extends CommonOptions {
  readonly redirectHost?: string;
}

export function clientsCommands(program: Command, perform: Perform): void {
  const clients = new CommandGroup(program, perform, 'clients', 'OAuth clients');

  clients.addList('list', 'clients, newest first', (options) => ({
    run: async (to) => listed(COLUMNS, await to.clients.list(options)),
  }));

  clients.addWithId('show', 'one client', (id) => ({
    run: async (to) => shown(await to.clients.show(id)),
  }));

  clients
    .add('create', 'make a client, which stays until it is deleted', (options: CreateOptions) =>
      options.machine ? makeMachine(options) : makeClient(options),
    )
    .requiredOption('--name <name>', 'what people see')
    .option('--redirect-uri <uris...>', 'where it may be redirected to')
    .addOption(
      new Option(
        '--auth <method>',
        'how it authenticates; none by default, a machine by its secret or its keys',
      ).choices([...new Set([...CLIENT_AUTH_CHOICES, ...MACHINE_AUTH_CHOICES])]),
    )
    .option('--machine', 'it acts for itself, without a user; needs MACHINE_CLIENTS=on')
    .option('--scope <scopes...>', 'of a machine: the only scopes that its tokens may have')
    .option('--resource <resource>', 'of a machine: as it is listed; /svc/mcp by default')
    .option('--jwks <file>', 'of a machine: a JSON file with its public keys', parseKeySet);

  const addForTarget = (name: string, description: string, taskOf: (target: BlockTarget) => Task) =>
    clients
      .add(name, description, (id: string | undefined, options: BlockOptions) =>
        taskOf(targetOf(id, options)),
      )
      .argument('[id]', 'as the list shows it', unshielded)
      .option('--redirect-host <host>', 'or every client that sends the browser back to this host');

  addForTarget('block', 'keep a client out', (target) => ({
    question: async () => `Keep ${describe(target)} out?`,
    run: (to) => done(to.clients.block(target, to.actor), () => `Blocked: ${describe(target)}.`),
  }));

  clients.addList(
    'blocked-hosts',
    'redirect hosts that are blocked, the last one first',
    (options) => ({
      run: async (to) => listed(HOST_COLUMNS, await to.clients.listBlockedHosts(options)),
    }),
  );

  addForTarget('unblock', 'let a client in again, with the apps it had', (target) => ({
    run: (to) =>
      done(
        to.clients.unblock(target, to.actor),
        () => `Not blocked any more: ${describe(target)}.`,
      ),
  }));

  clients.addWithId('delete', 'remove a client and end its grants', (id) => ({
    question: async (to) => `Delete ${await nameOf(to, id)}?`,
    run: (to) =>
      done(to.clients.remove(id, to.actor), (record) => `Deleted: ${record.endedApps} apps ended.`),
  }));

  clients.addWithId('rotate-secret', 'give a client another secret', (id) => ({
    question: async (to) => `Make the secret of ${await nameOf(to, id)} worthless?`,
    run: (to) => withSecret(to.clients.rotateSecret(id, to.actor)),
  }));
}

function makeClient(options: CreateOptions): Task {
  const { name, redirectUri: redirectUris } = options;
  const auth = choiceOf(options, CLIENT_AUTH_CHOICES) ?? 'none';
  if (!redirectUris) {
    throw new ArgumentError(`required option '--redirect-uri <uris...>' not specified`);
  }
  expectNone(options, ['scope', 'resource', 'jwks'], 'with --machine only');
  const client: NewClient = { name, redirectUris, auth };
  return { run: (to) => withSecret(to.clients.create(client, to.actor)) };
}

function makeMachine(options: CreateOptions): Task {
  const { name, scope: scopes, resource, jwks } = options;
  const auth = choiceOf(options, MACHINE_AUTH_CHOICES);
  if (!scopes) throw new ArgumentError(`required option '--scope <scopes...>' not specified`);
  expectNone(options, ['redirectUri'], 'without --machine only');
  const client = { name, scopes, resource, auth, ...(jwks === undefined ? {} : { jwks }) };
  return {
    run: (to) =>
      done(to.clients.createMachine(client, to.actor), ({ clientId, clientSecret }) => {
        const said = clientSecret === undefined ? 'It uses its keys.' : secretShown(clientSecret);
        return `Client id: ${clientId}. ${said}`;
      }),
  };
}

/** In commander's words, whose own choices do not depend on another option. @throws ArgumentError */
function choiceOf<Choice extends string>(
  { auth }: CreateOptions,
  choices: readonly Choice[],
): Choice | undefined {
  const chosen = choices.find((choice) => choice === auth);
  if (auth === undefined || chosen) return chosen;
  const allowed = `Allowed choices are ${choices.join(', ')}.`;
  throw new ArgumentError(`option '--auth <method>' argument '${auth}' is invalid. ${allowed}`);
}

const OPTIONS = {
  scope: '--scope',
  resource: '--resource',
  jwks: '--jwks',
  redirectUri: '--redirect-uri',
} as const;

/** @throws ArgumentError */
function expectNone(options: CreateOptions, names: (keyof typeof OPTIONS)[], when: string) {
  const wrong = names.find((name) => options[name] !== undefined);
  if (wrong) throw new ArgumentError(`${OPTIONS[wrong]} is taken ${when}`);
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
async function withSecret(issuing: Promise<Issued>) {
  const issued = await issuing;
  const { id, secret } = issued;
  const said = secret === null ? 'It is a public client and has no secret.' : secretShown(secret);
  return done({ ...issued }, () => `Client id: ${id}. ${said}`);
}

const secretShown = (secret: string) => `Secret, shown this once: ${secret}`;

function targetOf(id: string | undefined, { redirectHost }: BlockOptions): BlockTarget {
  if (id !== undefined && redirectHost === undefined) return { client: id };
  if (id === undefined && redirectHost !== undefined) return { redirectHost };
  throw new ArgumentError('name either a client or a --redirect-host');
}

const describe = (target: BlockTarget) =>
  'client' in target
    ? `client ${target.client}`
    : `clients that redirect to ${target.redirectHost}`;
