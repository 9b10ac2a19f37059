import { type Command, Option } from 'commander';
import { CLIENT_AUTH_CHOICES, type NewClient } from '#libs/oauth';
import type { CommonOptions, Perform } from '../task.js';
import { describeSecret } from './client-secret.js';
import { command } from './common-options.js';

interface CreateOptions extends CommonOptions {
  readonly name: string;
  readonly redirectUri: string[];
  readonly auth: NewClient['auth'];
}

/** `clients create` */
export function clientCreation(clients: Command, perform: Perform): void {
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
