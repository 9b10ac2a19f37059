import { type Command, Option } from 'commander';
import { parseOrigin } from '../arguments.js';
import type { Administration, CommonOptions, Perform } from '../task.js';
import { idCommand } from './common-options.js';

interface RecoverOptions extends CommonOptions {
  readonly origin?: string;
  readonly revoke?: true;
}

/** `users recover` */
export function userRecovery(users: Command, perform: Perform): void {
  const revoke = new Option('--revoke', 'end the link that was made').conflicts('origin');
  idCommand(users, 'recover', 'make a link that lets a person in once, within 24 hours')
    .option('--origin <origin>', 'where the link leads, such as https://gate.example', parseOrigin)
    .addOption(revoke)
    .action(async (id: string, options: RecoverOptions) => {
      const run = async (to: Administration) => {
        if (options.revoke) return revokeLink(to, id);
        const record = await to.recovery.createLink(id, options.origin, to.actor);
        return { kind: 'done', record, sentence: record.link } as const;
      };
      await perform({ run }, options);
    });
}

async function revokeLink(to: Administration, id: string) {
  const record = await to.recovery.revokeLink(id, to.actor);
  const sentence = record.revoked
    ? `Revoked: the recovery link of ${id}.`
    : `There is no recovery link of ${id}.`;
  return { kind: 'done', record, sentence } as const;
}
