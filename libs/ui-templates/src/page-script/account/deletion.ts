import { send } from '../auth-api.js';
import { signalDeletedAccount } from '../ceremonies.js';
import { fillText, onClick, part } from '../elements.js';
import type { Account } from './account.js';

class WordError extends Error {}

/** Deletes the account after its confirmation word was typed. */
export function startDeletion(account: Account) {
  const texts = account.texts.deletion;
  const { word } = texts;

  const perform = async (typed: string) => {
    if (plain(typed) !== plain(word)) throw new WordError();
    await send('DELETE', '/svc/me');
  };
  onClick('delete-account', async () => {
    const isDone = await account.ask({
      ...texts,
      grave: true,
      field: { label: fillText(texts.label, { word }), value: '' },
      run: perform,
      explain: (error) =>
        error instanceof WordError ? fillText(texts.wordFault, { word }) : account.explain(error),
    });
    if (!isDone) return;
    account.isOver = true;
    signalDeletedAccount(account.userId);
    sayGoodbye();
  });
}

/** Without differences of case and Unicode composition. */
const plain = (word: string) =>
  word.trim().normalize().toLocaleLowerCase(document.documentElement.lang);

function sayGoodbye() {
  const { content } = part<HTMLTemplateElement>('deleted');
  document.querySelector('main')?.replaceChildren(document.importNode(content, true));
  part('deleted-heading').focus();
}
