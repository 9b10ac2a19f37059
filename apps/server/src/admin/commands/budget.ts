import { Argument, type Command } from 'commander';
import { parseCredits } from '../arguments.js';
import { type Administration, type CommonOptions, idCommand, type Perform } from '../task.js';

/** `budget …` */
export function budgetCommands(program: Command, perform: Perform): void {
  const budget = program.command('budget').description('daily budgets of accounts');

  idCommand(budget, 'show', 'what an account used and may use today').action(
    async (id: string, options: CommonOptions) => {
      const run = async (to: Administration) =>
        ({ kind: 'record', record: await to.budgets.show(id) }) as const;
      await perform({ run }, options);
    },
  );

  idCommand(budget, 'set', 'give an account a daily limit of its own, or the default again')
    .addArgument(new Argument('<credits>', 'or default').argParser(parseCredits))
    .action(async (id: string, credits: number | 'default', options: CommonOptions) => {
      await perform(
        {
          run: async (to) => {
            const own = credits === 'default' ? undefined : credits;
            const record = await to.budgets.set(id, own, to.actor);
            return { kind: 'done', record, sentence: `Limit: ${record.limit} credits a day.` };
          },
        },
        options,
      );
    });

  idCommand(budget, 'reset', 'forget what an account used today').action(
    async (id: string, options: CommonOptions) => {
      await perform(
        {
          question: async (to) => {
            const { used } = await to.budgets.show(id);
            return `Forget the ${used} credits that account ${id} used today?`;
          },
          run: async (to) => {
            const record = await to.budgets.reset(id, to.actor);
            return { kind: 'done', record, sentence: `Used today: ${record.used} credits.` };
          },
        },
        options,
      );
    },
  );
}
