import { Refusal, send } from '../../auth-api.js';
import { type Account, unlessGone } from '../account.js';
import { browserWords } from '../browser-words.js';
import { fill, isolate, part } from '../part.js';
import type { Passkey } from './passkey.js';
import { type MadePasskey, nameOf, suggestedName } from './passkey-words.js';

const pathOf = ({ id }: Pick<Passkey, 'id'>) => `/svc/me/passkeys/${id}`;

export async function renamePasskey(account: Account, passkey: Passkey) {
  const texts = account.texts.passkeys;
  const isDone = await account.ask({
    title: texts.renameTitle,
    text: texts.renameText,
    act: texts.renameAct,
    field: {
      label: texts.renameLabel,
      value: nameOf(passkey, texts),
      hint: texts.renameHint,
    },
    run: (name) => send('PATCH', pathOf(passkey), { name }),
    explain: (error) => account.explainName(error, texts.renameFault),
  });
  if (!isDone) return;
  account.say(texts.doneRename);
  await account.refresh();
}

/** Asks for the name of a new passkey; when the person skips this, the passkey stays unnamed. */
export async function nameNewPasskey(account: Account, made: MadePasskey) {
  const texts = account.texts.passkeys;
  const isDone = await account.ask({
    title: texts.nameTitle,
    text: texts.nameText,
    act: texts.renameAct,
    cancel: texts.nameSkip,
    field: {
      label: texts.renameLabel,
      value: suggestedName(made, await thisBrowser(account), texts),
      hint: texts.renameHint,
    },
    run: (name) => send('PATCH', pathOf(made), { name }),
    explain: (error) => account.explainName(error, texts.renameFault),
  });
  account.say(isDone ? texts.doneNamed : texts.doneAdd);
  if (isDone) await account.refresh();
}

/** Removes any passkey but the last one. */
export async function removePasskey(account: Account, passkey: Passkey) {
  const texts = account.texts.passkeys;
  const isDone = await account.ask({
    title: fill(texts.removeTitle, { name: isolate(nameOf(passkey, texts)) }),
    text: passkey.current ? texts.removeCurrentText : texts.removeText,
    act: texts.removeAct,
    grave: true,
    run: () => unlessGone(send('DELETE', pathOf(passkey))),
    explain: (error) => (isLast(error) ? texts.lastNow : account.explain(error)),
  });
  if (!isDone) return;
  part('passkeys-heading').focus();
  account.say(texts.doneRemove);
  await account.refresh();
}

const isLast = (error: unknown) => error instanceof Refusal && error.status === 409;

/** Replaces the removal of the last passkey: explains why it stays, and offers to add another one. */
export async function explainLast(account: Account, add: () => Promise<void>) {
  const { lastTitle, lastText, addNow } = account.texts.passkeys;
  const wantsAnother = await account.ask({
    title: lastTitle,
    text: lastText,
    act: addNow,
    run: () => Promise.resolve(),
  });
  if (wantsAnother) await add();
}

interface Sessions {
  readonly sessions: readonly { readonly current: boolean; readonly browser: string | null }[];
}

/** The service's name of this browser, as the page shows it; empty where it has none. */
async function thisBrowser({ texts }: Account): Promise<string> {
  try {
    const { sessions } = await send<Sessions>('GET', '/svc/me/sessions');
    const browser = sessions.find(({ current }) => current)?.browser ?? '';
    return browserWords(browser, texts.page.browser);
  } catch {
    return '';
  }
}
