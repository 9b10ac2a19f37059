import type { Command } from 'commander';
import { parseOrigin } from '../arguments.js';
import type { CommonOptions, Perform } from '../task.js';
import { idCommand } from './common-options.js';

interface RecoverOptions extends CommonOptions {
  readonly origin?: string;
}

/** `users recover` */
export function userRecovery(users: Command, perform: Perform): void {
  idCommand(users, 'recover', 'make a link that lets somebody in once, within 24 hours')
    .option('--origin <origin>', 'where the link leads, such as https://gate.example', parseOrigin)
    .action(async (id: string, options: RecoverOptions) => {
      await perform(
        {
          run: async (to) => {
            const record = await to.recovery.createLink(id, options.origin, to.actor);
            return { kind: 'done', record, sentence: record.link };
          },
        },
        options,
      );
    });
}
