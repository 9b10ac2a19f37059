import { type Command, Option } from 'commander';
import type { CommonOptions, Perform } from '../task.js';
import { describeSecret } from './client-secret.js';
import { command } from './common-options.js';

const AUTH_CHOICES = ['none', 'client_secret_basic', 'client_secret_post'] as const;

interface CreateOptions extends CommonOptions {
  readonly name: string;
  readonly redirectUri: string[];
  readonly auth: (typeof AUTH_CHOICES)[number];
}

/** `clients create` */
export function clientCreation(clients: Command, perform: Perform): void {
  const authentication = new Option('--auth <method>', 'how it authenticates')
    .choices(AUTH_CHOICES)
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
