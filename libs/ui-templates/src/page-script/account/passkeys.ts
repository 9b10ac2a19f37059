import type { AccountScriptTexts } from '../../account/account-texts.js';
import { Refusal, send } from '../auth-api.js';
import {
  addPasskeyOnce,
  againWhenExpired,
  PASSKEY_LOCK,
  signalAccepted,
  signalName,
} from '../ceremonies.js';
import { fillText, fillNumber, onClick, part } from '../elements.js';
import { cancellable } from '../passkey-dialog.js';
import { type Account, type Change, remove } from './account.js';
import { fetchAnswer, type Passkey, type RecoveryCodes } from './answers.js';
import { type ListRow, showRows } from './rows.js';
import { pageSection } from './sections.js';
import { browserWords, capital, fillName, isolate, whenWords } from './words.js';

type PasskeyTexts = AccountScriptTexts['passkeys'];
type Texts = Pick<AccountScriptTexts, 'passkeys' | 'page'>;

export const nameOf = ({ name, provider }: Passkey, { unnamed }: PasskeyTexts) =>
  name ?? provider ?? unnamed;

/** Which manager keeps the passkey, and whether it is lost with its device, as far as that is known. */
export function keptWords({ name, provider, synced }: Passkey, { passkeys, page }: Texts): string {
  const reach = reachOf(synced, passkeys);
  if (name === null || provider === null) return capital(reach);
  return reach === '' ? provider : fillText(page.both, { first: isolate(provider), second: reach });
}

function reachOf(synced: boolean | null, texts: PasskeyTexts) {
  if (synced === null) return '';
  return synced ? texts.synced : texts.notSynced;
}

/** For the passkey that created the account, "not used yet" would be untrue in that same session. */
export function dateWords(
  { createdAt, lastUsedAt, current }: Passkey,
  { passkeys: texts, page }: Texts,
): string {
  const added = whenWords(texts.added, createdAt, page);
  if (lastUsedAt === null && current) return capital(added);
  const used = lastUsedAt === null ? texts.unused : whenWords(texts.used, lastUsedAt, page);
  return capital(fillText(page.both, { first: added, second: used }));
}

interface MadePasskey {
  readonly id: string;
  readonly authenticatorAttachment?: string | undefined;
  readonly response: { readonly transports?: readonly string[] | undefined };
}

/** The suggested name of a new passkey: its browser, "Chrome on Linux", or the manager that keeps it elsewhere. */
export function suggestedName(
  { authenticatorAttachment, response: { transports = [] } }: MadePasskey,
  browser: string,
  { nameKey, namePhone }: PasskeyTexts,
): string {
  if (authenticatorAttachment !== 'cross-platform') return browser;
  return transports.includes('hybrid') ? namePhone : nameKey;
}

/** What losing the only passkey means; undefined for more. */
export function lossWords(
  passkeys: readonly Passkey[],
  codes: Pick<RecoveryCodes, 'left'> | undefined,
  texts: PasskeyTexts,
): { readonly text: string; readonly isGrave: boolean } | undefined {
  const [only, ...more] = passkeys;
  if (only === undefined || more.length > 0) return undefined;
  const left = codes?.left ?? 0;
  if (left > 0) {
    const words = fillNumber(texts.codesLeft, left);
    return { text: fillText(texts.lossCodes, { left: words }), isGrave: false };
  }
  return { text: `${lossOf(only, texts)} ${texts.lossAdvice}`, isGrave: true };
}

function lossOf({ synced }: Passkey, texts: PasskeyTexts) {
  if (synced === null) return texts.lossUnknown;
  return synced ? texts.lossSynced : texts.lossOneDevice;
}

/**
 * Reports the account's passkeys and its name to passkey managers. The signed-in account is checked after the list
 * was read: the list of another account would make managers delete all passkeys of this one.
 */
export async function tellPasskeyManagers({ userId }: Account) {
  await navigator.locks.request(PASSKEY_LOCK, { ifAvailable: true }, async (lock) => {
    if (!lock) return;
    const { passkeys } = await fetchAnswer('/svc/me/passkeys');
    const { user } = await fetchAnswer('/svc/auth/me');
    if (user?.id !== userId) return;
    const ids = passkeys.map(({ id }) => id);
    signalAccepted(userId, ids);
    signalName(userId, user.displayName);
  });
}

const pathOf = (id: string) => `/svc/me/passkeys/${id}`;

/** Resolves to whether the passkey has another name now. */
function askName(
  account: Account,
  { id, value }: { readonly id: string; readonly value: string },
  words: Pick<Change, 'title' | 'text' | 'cancel' | 'done'>,
) {
  const { renameAct, renameLabel, renameHint, renameFault } = account.texts.passkeys;
  return account.change({
    ...words,
    act: renameAct,
    field: { label: renameLabel, value, hint: renameHint },
    run: (name) => send('PATCH', pathOf(id), { name }),
    explain: (error) => account.explainName(error, renameFault),
  });
}

function renamePasskey(account: Account, passkey: Passkey) {
  const { passkeys: texts } = account.texts;
  const { renameTitle: title, renameText: text, doneRename: done } = texts;
  const value = nameOf(passkey, texts);
  return askName(account, { id: passkey.id, value }, { title, text, done });
}

/** Asks for the name of a new passkey; when the person skips this, the passkey stays unnamed. */
async function nameNewPasskey(account: Account, made: MadePasskey) {
  const { passkeys: texts } = account.texts;
  const { nameTitle: title, nameText: text, nameSkip: cancel, doneNamed: done } = texts;
  const value = suggestedName(made, await thisBrowser(account), texts);
  const isNamed = await askName(account, { id: made.id, value }, { title, text, cancel, done });
  if (!isNamed) account.say(texts.doneAdd);
}

function removePasskey(account: Account, passkey: Passkey) {
  const texts = account.texts.passkeys;
  return account.change({
    title: fillName(texts.removeTitle, nameOf(passkey, texts)),
    text: passkey.current ? texts.removeCurrentText : texts.removeText,
    act: texts.removeAct,
    grave: true,
    run: () => remove(pathOf(passkey.id)),
    explain: (error) => {
      const isLast = error instanceof Refusal && error.status === 409;
      return isLast ? texts.lastNow : account.explain(error);
    },
    done: texts.doneRemove,
    section: 'passkeys',
  });
}

/** Replaces the removal of the last passkey: explains why it stays, and offers to add another one. */
async function explainLast(account: Account, add: () => Promise<void>) {
  const { lastTitle: title, lastText: text, addNow: act } = account.texts.passkeys;
  if (await account.ask({ title, text, act, run: () => Promise.resolve() })) await add();
}

/** The service's name of this browser, as the page shows it; empty where it has none. */
async function thisBrowser({ texts }: Account): Promise<string> {
  try {
    const { sessions } = await fetchAnswer('/svc/me/sessions');
    const browser = sessions.find(({ current }) => current)?.browser ?? '';
    return browserWords(browser, texts.page.browser);
  } catch {
    return '';
  }
}

/** Makes a button add a passkey and then ask for its name. Returns that action, for other controls that offer it. */
export function offerPasskey(account: Account, button: string, place: string) {
  const { ceremonies, passkeys } = account.texts;
  const words = {
    ...ceremonies,
    cancelledSignUp: passkeys.cancelledAdd,
    alreadyHere: passkeys.alreadyThere,
  };
  const add = account.buttonAction({
    button,
    place,
    said: passkeys.adding,
    act: async () => {
      const addOnce = () =>
        cancellable(part(`${place}-waiting`), ceremonies.cancel, addPasskeyOnce);
      const made = await againWhenExpired(() => account.fresh(addOnce));
      await account.refresh();
      return made;
    },
    explain: (error) => account.explain(error, 'signUp', words),
    after: async (made) => made && nameNewPasskey(account, made),
  });
  onClick(button, add);
  return add;
}

export function passkeysSection(account: Account) {
  const texts = account.texts.passkeys;
  const add = offerPasskey(account, 'add-passkey', 'passkey');

  const fillRow = (row: ListRow, passkey: Passkey, isLast: boolean) => {
    const name = nameOf(passkey, texts);
    row.text('name', name);
    row.text('kept', keptWords(passkey, account.texts));
    row.text('dates', dateWords(passkey, account.texts));
    row.slot('current').hidden = !passkey.current;
    row.button('rename', fillName(texts.renameOne, name), () => renamePasskey(account, passkey));
    row.button('remove', fillName(texts.removeOne, name), () =>
      isLast ? explainLast(account, add) : removePasskey(account, passkey),
    );
  };

  return pageSection({
    id: 'passkeys',
    load: (get) =>
      Promise.all([get('/svc/me/passkeys'), get('/svc/me/recovery-codes').catch(() => undefined)]),
    show([{ passkeys }, codes]) {
      const isOnly = passkeys.length === 1;
      const fill = (row: ListRow, passkey: Passkey) => fillRow(row, passkey, isOnly);
      showRows('passkey', passkeys, ({ id }) => id, fill);
      showLoss(account, passkeys, codes);
    },
  });
}

function showLoss(account: Account, passkeys: readonly Passkey[], codes?: RecoveryCodes) {
  const loss = lossWords(passkeys, codes, account.texts.passkeys);
  part('passkey-loss').hidden = loss === undefined;
  part('passkey-loss').classList.toggle('warning', loss?.isGrave === true);
  part('passkey-loss > p').textContent = loss?.text ?? '';
  part('add-passkey').classList.toggle('main', loss?.isGrave === true);
  part('get-codes').hidden = loss?.isGrave !== true;
}
