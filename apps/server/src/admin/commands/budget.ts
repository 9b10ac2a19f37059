import type { Command } from 'commander';
import type { BudgetOwner } from '../budget.service.js';
import { ArgumentError, parseCredits, unshielded } from './arguments.js';
import { done, shown } from './output.js';
import { CommandGroup, type CommonOptions, type Perform } from './task.js';

interface BudgetOptions extends CommonOptions {
  readonly client?: string;
}

export function budgetCommands(program: Command, perform: Perform): void {
  const budget = new CommandGroup(
    program,
    perform,
    'budget',
    'daily budgets of accounts and of machine clients',
  );
  const forOwner = (command: Command) =>
    command
      .argument('[id]', 'as the list shows it', unshielded)
      .option('--client <id>', 'or a machine client', unshielded);

  forOwner(
    budget.add(
      'show',
      'what an account used and may use today',
      (id: string | undefined, options: BudgetOptions) => {
        const owner = ownerOf(id, options);
        return { run: async (to) => shown(await to.budgets.show(owner)) };
      },
    ),
  );

  forOwner(
    budget.add(
      'set',
      'give an account a daily limit of its own, or the default again',
      (first: string | undefined, second: string | undefined, options: BudgetOptions) => {
        const [id, credits] = second === undefined ? [undefined, first] : [first, second];
        if (credits === undefined) throw missing('credits');
        const owner = ownerOf(id, options);
        const limit = parseCredits(credits);
        return {
          run: (to) =>
            done(
              to.budgets.set(owner, limit, to.actor),
              (record) => `Limit: ${record.limit} credits a day.`,
            ),
        };
      },
    ),
  ).argument('[credits]', 'or default');

  forOwner(
    budget.add(
      'reset',
      'forget what an account used today',
      (id: string | undefined, options: BudgetOptions) => {
        const owner = ownerOf(id, options);
        const named = 'user' in owner ? `account ${owner.user}` : `client ${owner.client}`;
        return {
          question: async (to) => {
            const { used } = await to.budgets.show(owner);
            return `Forget the ${used} credits that ${named} used today?`;
          },
          run: (to) =>
            done(
              to.budgets.reset(owner, to.actor),
              (record) => `Used today: ${record.used} credits.`,
            ),
        };
      },
    ),
  );
}

/** @throws ArgumentError */
function ownerOf(user: string | undefined, { client }: BudgetOptions): BudgetOwner {
  if (user !== undefined && client !== undefined) {
    throw new ArgumentError('name either an account or a --client');
  }
  if (user !== undefined) return { user };
  if (client !== undefined) return { client };
  throw missing('id');
}

/** In commander's words. */
const missing = (argument: string) => new ArgumentError(`missing required argument '${argument}'`);
