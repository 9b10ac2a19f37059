import type { Command } from 'commander';
import type { Credits } from '../values.js';
import { ArgumentError, parseCredits, unshielded } from './arguments.js';
import { done, shown } from './output.js';
import { type Administration, CommandGroup, type CommonOptions, type Perform } from './task.js';

interface BudgetOptions extends CommonOptions {
  readonly client?: string;
}

/** An account, or a machine client. */
interface Holder {
  readonly id: string;
  readonly isMachine: boolean;
}

/** `budget …` */
export function budgetCommands(program: Command, perform: Perform): void {
  const budget = new CommandGroup(
    program.command('budget').description('daily budgets of accounts and of machine clients'),
    perform,
  );
  const forHolder = (command: Command) =>
    command
      .argument('[id]', 'as the list shows it', unshielded)
      .option('--client <id>', 'or a machine client', unshielded);

  forHolder(
    budget.add(
      'show',
      'what an account used and may use today',
      (id: string | undefined, options: BudgetOptions) => {
        const holder = holderOf(id, options);
        return { run: async (to) => shown(await budgetOf(to, holder).show()) };
      },
    ),
  );

  forHolder(
    budget.add(
      'set',
      'give an account a daily limit of its own, or the default again',
      (first: string | undefined, second: string | undefined, options: BudgetOptions) => {
        const [id, credits] = second === undefined ? [undefined, first] : [first, second];
        if (credits === undefined) throw missing('credits');
        const holder = holderOf(id, options);
        const limit = parseCredits(credits);
        return {
          run: async (to) => {
            const record = await budgetOf(to, holder).set(limit);
            return done(record, `Limit: ${record.limit} credits a day.`);
          },
        };
      },
    ),
  ).argument('[credits]', 'or default');

  forHolder(
    budget.add(
      'reset',
      'forget what an account used today',
      (id: string | undefined, options: BudgetOptions) => {
        const holder = holderOf(id, options);
        const named = `${holder.isMachine ? 'client' : 'account'} ${holder.id}`;
        return {
          question: async (to) => {
            const { used } = await budgetOf(to, holder).show();
            return `Forget the ${used} credits that ${named} used today?`;
          },
          run: async (to) => {
            const record = await budgetOf(to, holder).reset();
            return done(record, `Used today: ${record.used} credits.`);
          },
        };
      },
    ),
  );
}

/** @throws ArgumentError */
function holderOf(id: string | undefined, { client }: BudgetOptions): Holder {
  if (id !== undefined && client !== undefined) {
    throw new ArgumentError('name either an account or a --client');
  }
  const named = id ?? client;
  if (named === undefined) throw missing('id');
  return { id: named, isMachine: client !== undefined };
}

/** In commander's words. */
const missing = (argument: string) => new ArgumentError(`missing required argument '${argument}'`);

const budgetOf = ({ budgets, actor }: Administration, { id, isMachine }: Holder) =>
  isMachine
    ? {
        show: () => budgets.showMachine(id),
        set: (credits: Credits) => budgets.setMachine(id, credits, actor),
        reset: () => budgets.resetMachine(id, actor),
      }
    : {
        show: () => budgets.show(id),
        set: (credits: Credits) => budgets.set(id, credits, actor),
        reset: () => budgets.reset(id, actor),
      };
