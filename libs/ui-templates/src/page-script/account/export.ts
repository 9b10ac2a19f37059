import { sendForText } from '../auth-api.js';
import { onClick, saveFile } from '../elements.js';
import type { Account } from './account.js';

/** An account with many calls has much to send. */
const TIME_LIMIT_MS = 10 * 60_000;

/** Saves everything that is kept about the account as a file. */
export function startExport(account: Account) {
  const texts = account.texts.export;
  const save = async () => {
    const text = await sendForText('GET', '/svc/me/export', { timeLimitMs: TIME_LIMIT_MS });
    saveFile(`account-${location.hostname}.json`, text, 'application/json');
    return true;
  };
  const act = account.buttonAction({
    button: 'export-data',
    place: 'export',
    said: texts.working,
    act: () => account.fresh(save),
    explain: (error) => account.explain(error),
    after: async (isDone) => {
      if (isDone) account.say(texts.done);
    },
  });
  onClick('export-data', act);
}
