import type { Command } from 'commander';
import type { Credits } from '../../administration/values.js';
import { parseCredits } from '../arguments.js';
import { done, shown } from '../output.js';
import { CommandGroup, type Perform } from '../task.js';

/** `budget …` */
export function budgetCommands(program: Command, perform: Perform): void {
  const budget = new CommandGroup(
    program.command('budget').description('daily budgets of accounts'),
    perform,
  );

  budget.addWithId('show', 'what an account used and may use today', (id) => ({
    run: async (to) => shown(await to.budgets.show(id)),
  }));

  budget
    .addWithId(
      'set',
      'give an account a daily limit of its own, or the default again',
      (id, credits: Credits) => ({
        run: async (to) => {
          const record = await to.budgets.set(id, credits, to.actor);
          return done(record, `Limit: ${record.limit} credits a day.`);
        },
      }),
    )
    .argument('<credits>', 'or default', parseCredits);

  budget.addWithId('reset', 'forget what an account used today', (id) => ({
    question: async (to) => {
      const { used } = await to.budgets.show(id);
      return `Forget the ${used} credits that account ${id} used today?`;
    },
    run: async (to) => {
      const record = await to.budgets.reset(id, to.actor);
      return done(record, `Used today: ${record.used} credits.`);
    },
  }));
}
