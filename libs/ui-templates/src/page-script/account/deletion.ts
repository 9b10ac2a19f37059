import { send } from '../auth-api.js';
import { signalDeletedAccount } from '../ceremonies.js';
import { fillText, part } from '../elements.js';
import type { Account } from './account.js';

class WordError extends Error {}

/** Deletes the account after its confirmation word was typed. */
export function startDeletion(account: Account) {
  const { title, text, label, word, wordFault, act } = account.texts.deletion;
  const button = part<HTMLButtonElement>('delete-account');

  const perform = async (typed: string) => {
    if (!isSame(typed, word)) throw new WordError();
    await send('DELETE', '/svc/me');
  };
  const ask = async () => {
    const isDone = await account.ask({
      title,
      text,
      act,
      grave: true,
      field: { label: fillText(label, { word }), value: '' },
      run: perform,
      explain: (error) =>
        error instanceof WordError ? fillText(wordFault, { word }) : account.explain(error),
    });
    if (!isDone) return;
    account.isOver = true;
    signalDeletedAccount(account.userId);
    sayGoodbye();
  };
  button.addEventListener('click', () => void ask());
  button.disabled = false;
}

/** Ignores case and Unicode composition. */
const isSame = (typed: string, word: string) => plain(typed) === plain(word);

const plain = (word: string) =>
  word.trim().normalize().toLocaleLowerCase(document.documentElement.lang);

function sayGoodbye() {
  const { content } = part<HTMLTemplateElement>('deleted');
  document.querySelector('main')?.replaceChildren(document.importNode(content, true));
  part('deleted-heading').focus();
}
