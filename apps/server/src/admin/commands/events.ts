import type { Command } from 'commander';
import { ArgumentError, unshielded } from './arguments.js';
import { done, listed, shown } from './output.js';
import {
  type Administration,
  CommandGroup,
  type CommonOptions,
  type ListOptions,
  type Perform,
} from './task.js';

const WAITING = ['id', 'type', 'user', 'createdAt', 'attempts', 'failure'];
const DEAD = [...WAITING, 'deadAt'];

interface EventListOptions extends ListOptions {
  readonly dead?: true;
  readonly waiting?: true;
}

export function eventsCommands(program: Command, perform: Perform): void {
  const events = new CommandGroup(program, perform, 'events', 'events that are not delivered');

  events
    .addList(
      'list',
      'those that wait to be delivered, newest first',
      ({ dead, waiting, limit, after }: EventListOptions) => {
        if (dead && waiting) throw new ArgumentError('--dead and --waiting are two lists');
        const [state, columns] = dead ? (['dead', DEAD] as const) : (['waiting', WAITING] as const);
        return {
          run: async (to) => listed(columns, await to.events.list({ state, limit, after })),
        };
      },
    )
    .option('--waiting', 'these, as without it')
    .option('--dead', 'those that were given up instead');

  events.addWithId('show', 'one, with what is delivered', (id) => ({
    run: async (to) => shown(await to.events.show(id)),
  }));

  events
    .add(
      'retry',
      'deliver as if it had never failed',
      (id: string | undefined, { all }: CommonOptions & { readonly all?: true }) => {
        if ((id === undefined) !== (all === true)) {
          throw new ArgumentError('events retry takes an id, or --all');
        }
        return { run: (to) => (id === undefined ? retryAll(to) : retry(to, id)) };
      },
    )
    .argument('[id]', 'as the list shows it', unshielded)
    .option('--all', 'all that were given up, and all that wait for another attempt');

  events.addWithId('delete', 'delete it, so that it is not delivered', (id) => ({
    question: async (to) => {
      const { type, user } = await to.events.show(id);
      return `Delete ${type} of ${user ?? 'no account'}, so that it is not delivered?`;
    },
    run: (to) => done(to.events.remove(id, to.actor), () => `Deleted: event ${id}.`),
  }));
}

const retry = (to: Administration, id: string) =>
  done(to.events.retry(id, to.actor), () => `Waits to be delivered: event ${id}.`);

const retryAll = (to: Administration) =>
  done(
    to.events.retryAll(to.actor),
    ({ dead }) => `Wait to be delivered: ${dead} that were given up, and all others.`,
  );
