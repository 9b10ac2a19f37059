import type { Command } from 'commander';
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

const WAITING = ['id', 'type', 'user', 'createdAt', 'attempts', 'failure'];
const DEAD = [...WAITING, 'deadAt'];

interface EventListOptions extends ListOptions {
  readonly dead?: true;
  readonly waiting?: true;
}

interface RetryOptions extends CommonOptions {
  readonly all?: true;
}

/** `events …` */
export function eventsCommands(program: Command, perform: Perform): void {
  const events = program.command('events').description('events that are not delivered');

  listCommand(events, 'list', 'those that wait to be delivered, newest first')
    .option('--waiting', 'these, as without it')
    .option('--dead', 'those that were given up instead')
    .action(async (options: EventListOptions) => {
      const { dead, waiting, limit, after } = options;
      if (dead && waiting) throw new ArgumentError('--dead and --waiting are two lists');
      const state = dead ? 'dead' : 'waiting';
      const run = async (to: Administration) => {
        const page = await to.events.list({ state, limit, after });
        return { kind: 'list', page, columns: dead ? DEAD : WAITING } as const;
      };
      await perform({ run }, options);
    });

  idCommand(events, 'show', 'one, with what is delivered').action(
    async (id: string, options: CommonOptions) => {
      const run = async (to: Administration) =>
        ({ kind: 'record', record: await to.events.show(id) }) as const;
      await perform({ run }, options);
    },
  );

  command(events, 'retry', 'deliver as if it had never failed')
    .argument('[id]', 'as the list shows it', unshielded)
    .option('--all', 'all that were given up, and all that wait for another attempt')
    .action(async (id: string | undefined, options: RetryOptions) => {
      if ((id === undefined) !== (options.all === true)) {
        throw new ArgumentError('events retry takes an id, or --all');
      }
      const run = (to: Administration) => (id === undefined ? retryAll(to) : retry(to, id));
      await perform({ run }, options);
    });

  idCommand(events, 'delete', 'delete it, so that it is not delivered').action(
    async (id: string, options: CommonOptions) => {
      await perform(
        {
          question: async (to) => {
            const { type, user } = await to.events.show(id);
            return `Delete ${type} of ${user ?? 'no account'}, so that it is not delivered?`;
          },
          run: async (to) => {
            const record = await to.events.remove(id, to.actor);
            return { kind: 'done', record, sentence: `Deleted: event ${id}.` };
          },
        },
        options,
      );
    },
  );
}

async function retry(to: Administration, id: string) {
  const record = await to.events.retry(id, to.actor);
  return { kind: 'done', record, sentence: `Waits to be delivered: event ${id}.` } as const;
}

async function retryAll(to: Administration) {
  const record = await to.events.retryAll(to.actor);
  const sentence = `Wait to be delivered: ${record.dead} that were given up, and all others.`;
  return { kind: 'done', record, sentence } as const;
}
