import { send } from '../auth-api.js';
import { element, fillText, fillNumber, onClick, part, saveFile } from '../elements.js';
import type { Account } from './account.js';
import type { RecoveryCodes } from './answers.js';
import { showHosts } from './rows.js';
import { pageSection } from './sections.js';
import { isolate, timeWords } from './words.js';

const PAGE = location.origin + location.pathname;

/** New codes, to copy, download or print. Until one of these is done, leaving the page asks first. */
function shownCodes(account: Account) {
  const texts = account.texts.recoveryCodes;
  let shown: readonly string[] = [];

  const askBeforeLeaving = (event: Event) => {
    if (account.hasUnsavedCodes && !account.isOver) event.preventDefault();
  };
  const setUnsaved = (isUnsaved: boolean) => {
    account.hasUnsavedCodes = isUnsaved;
    if (isUnsaved) globalThis.addEventListener('beforeunload', askBeforeLeaving);
    else globalThis.removeEventListener('beforeunload', askBeforeLeaving);
  };
  /** `mark` formats texts of other people, and addresses. */
  const owner = (mark: (name: string) => string) => {
    const { lang } = document.documentElement;
    const date = new Intl.DateTimeFormat(lang, { dateStyle: 'long' }).format();
    const name = part('display-name').textContent?.trim() ?? '';
    return fillText(texts.owner, { name: mark(name), page: mark(PAGE), date });
  };
  const discard = () => {
    shown = [];
    setUnsaved(false);
    part('codes').replaceChildren();
    part('new-codes').hidden = true;
    delete document.body.dataset['print'];
  };

  onClick('copy-codes', async () => {
    try {
      await navigator.clipboard.writeText(shown.join('\n'));
      setUnsaved(false);
      account.say(texts.copied);
    } catch {
      getSelection()?.selectAllChildren(part('codes'));
      account.say(texts.copyFailed);
    }
  });
  onClick('download-codes', () => {
    const values = { owner: owner(String), page: PAGE, codes: shown.join('\n') };
    const name = fillText(texts.fileName, { host: location.hostname });
    saveFile(name, fillText(texts.file, values), 'text/plain');
    setUnsaved(false);
  });
  onClick('print-codes', () => {
    globalThis.print();
    setUnsaved(false);
  });
  onClick('codes-kept', () => {
    discard();
    part('recovery-codes-heading').focus();
  });
  return {
    show(codes: readonly string[]) {
      shown = codes;
      showHosts(part('codes-owner'), owner(isolate));
      const address = fillText(texts.address, { address: isolate(`${PAGE}/recover`) });
      showHosts(part('codes-address'), address);
      part('codes').replaceChildren(...codes.map(itemOf));
      setUnsaved(true);
      part('new-codes').hidden = false;
      document.body.dataset['print'] = 'codes';
      part('new-codes-heading').focus();
    },
    /** Takes codes away that no longer work. */
    discard,
  };
}

function itemOf(code: string) {
  const item = element('li');
  item.append(Object.assign(element('bdi', code), { dir: 'ltr' }));
  return item;
}

const CODES = '/svc/me/recovery-codes';
const CODES_AT_A_TIME = 10;

/** The number of recovery codes left, and a button that replaces them. */
export function recoveryCodesSection(account: Account) {
  const texts = account.texts.recoveryCodes;
  const shown = shownCodes(account);
  let left = 0;
  /** Since an earlier load: the first passkey of an account deletes the codes made before it. */
  let areEnded = false;

  const make = async () => {
    const { codes } = await send<{ readonly codes: readonly string[] }>('POST', CODES);
    shown.show(codes);
  };
  /** Creates codes without confirmation, as there are none that they would replace. */
  const makeAtOnce = account.buttonAction({
    button: 'create-codes',
    place: 'codes',
    said: texts.creating,
    act: () => account.fresh(make),
    explain: (error) => account.explain(error),
    after: account.refresh,
  });
  const askFirst = async () => {
    const { askTitle: title, askText: text, askAct: act } = texts;
    if (!(await account.ask({ title, text, act, run: make }))) return;
    part('new-codes-heading').focus();
    await account.refresh();
  };

  onClick('create-codes', () => (left > 0 ? askFirst() : makeAtOnce()));
  return pageSection({
    id: 'recovery-codes',
    load: (get) => get(CODES),
    show(state) {
      areEnded = state.createdAt === null && (areEnded || left > 0);
      if (areEnded) shown.discard();
      left = state.left;
      part('create-codes').textContent = left > 0 ? texts.createNew : texts.create;
      part('codes-left').textContent = areEnded ? texts.ended : wordsOf(state, account);
    },
  });
}

function wordsOf({ left, createdAt }: RecoveryCodes, { texts }: Account): string {
  const { none, used, left: some } = texts.recoveryCodes;
  if (createdAt === null) return none;
  if (left === 0) return used;
  const when = timeWords(createdAt, texts.page);
  return fillNumber(some, left, { all: CODES_AT_A_TIME, when });
}
