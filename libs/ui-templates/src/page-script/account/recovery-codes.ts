import { send } from '../auth-api.js';
import { fillText, fillNumber, part } from '../elements.js';
import type { Account } from './account.js';
import type { RecoveryCodes } from './answers.js';
import { showHosts } from './rows.js';
import type { PageSection } from './sections.js';
import { isolate, timeWords } from './words.js';

const PAGE = location.origin + location.pathname;

/**
 * New recovery codes while they are shown, to copy, download and print. Until one of these is done, leaving the page
 * asks for confirmation.
 */
class ShownCodes {
  private codes: readonly string[] = [];

  constructor(private readonly account: Account) {
    part('copy-codes').addEventListener('click', () => void this.copy());
    part('download-codes').addEventListener('click', () => this.download());
    part('print-codes').addEventListener('click', () => this.print());
    part('codes-kept').addEventListener('click', () => this.hide());
  }

  show(codes: readonly string[]) {
    this.codes = codes;
    showHosts(part('codes-owner'), this.owner(isolate));
    const { address } = this.account.texts.recoveryCodes;
    showHosts(part('codes-address'), fillText(address, { address: isolate(`${PAGE}/recover`) }));
    part('codes').replaceChildren(...codes.map(itemOf));
    this.setUnsaved(true);
    part('new-codes').hidden = false;
    document.body.dataset['print'] = 'codes';
    part('new-codes-heading').focus();
  }

  /** Takes codes away that no longer work. */
  discard() {
    this.codes = [];
    this.setUnsaved(false);
    part('codes').replaceChildren();
    part('new-codes').hidden = true;
    delete document.body.dataset['print'];
  }

  private hide() {
    this.discard();
    part('recovery-codes-heading').focus();
  }

  private setUnsaved(isUnsaved: boolean) {
    this.account.hasUnsavedCodes = isUnsaved;
    if (isUnsaved) globalThis.addEventListener('beforeunload', this.askBeforeLeaving);
    else globalThis.removeEventListener('beforeunload', this.askBeforeLeaving);
  }

  private readonly askBeforeLeaving = (event: Event) => {
    if (this.account.hasUnsavedCodes && !this.account.isOver) event.preventDefault();
  };

  private print() {
    globalThis.print();
    this.setUnsaved(false);
  }

  private async copy() {
    const { copied, copyFailed } = this.account.texts.recoveryCodes;
    try {
      await navigator.clipboard.writeText(this.codes.join('\n'));
      this.setUnsaved(false);
      this.account.say(copied);
    } catch {
      getSelection()?.selectAllChildren(part('codes'));
      this.account.say(copyFailed);
    }
  }

  private download() {
    const { fileName } = this.account.texts.recoveryCodes;
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([this.fileText()], { type: 'text/plain' }));
    link.download = fillText(fileName, { host: location.hostname });
    link.click();
    URL.revokeObjectURL(link.href);
    this.setUnsaved(false);
  }

  private fileText() {
    const codes = this.codes.join('\n');
    const values = { owner: this.owner(String), page: PAGE, codes };
    return fillText(this.account.texts.recoveryCodes.file, values);
  }

  /** `mark` formats texts of other people, and addresses. */
  private owner(mark: (name: string) => string) {
    const { lang } = document.documentElement;
    const date = new Intl.DateTimeFormat(lang, { dateStyle: 'long' }).format();
    const name = part('display-name').textContent?.trim() ?? '';
    return fillText(this.account.texts.recoveryCodes.owner, {
      name: mark(name),
      page: mark(PAGE),
      date,
    });
  }
}

function itemOf(code: string) {
  const item = document.createElement('li');
  const text = document.createElement('bdi');
  text.dir = 'ltr';
  text.textContent = code;
  item.append(text);
  return item;
}

const CODES = '/svc/me/recovery-codes';
const CODES_AT_A_TIME = 10;

/** The number of recovery codes left, and a button that replaces them. */
export function recoveryCodesSection(account: Account): PageSection {
  const texts = account.texts.recoveryCodes;
  const shown = new ShownCodes(account);
  const button = part<HTMLButtonElement>('create-codes');
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
    fault: 'codes-fault',
    waiting: 'codes-waiting',
    said: texts.creating,
    act: () => account.fresh(make),
    explain: (error) => account.explain(error),
    after: account.refresh,
  });
  const askFirst = async () => {
    const { askTitle: title, askText: text, askAct: act } = texts;
    const isDone = await account.ask({ title, text, act, run: make });
    if (!isDone) return;
    part('new-codes-heading').focus();
    await account.refresh();
  };

  button.addEventListener('click', () => void (left > 0 ? askFirst() : makeAtOnce()));
  return {
    id: 'recovery-codes',
    async load(get) {
      const state = await get(CODES);
      return () => {
        areEnded = state.createdAt === null && (areEnded || left > 0);
        if (areEnded) shown.discard();
        left = state.left;
        button.textContent = left > 0 ? texts.createNew : texts.create;
        part('codes-left').textContent = areEnded ? texts.ended : wordsOf(state, account);
      };
    },
  };
}

function wordsOf({ left, createdAt }: RecoveryCodes, { texts }: Account): string {
  const { none, used, left: some } = texts.recoveryCodes;
  if (createdAt === null) return none;
  if (left === 0) return used;
  const when = timeWords(createdAt, texts.page);
  return fillNumber(some, left, { all: CODES_AT_A_TIME, when });
}
