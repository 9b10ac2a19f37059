import type { Account } from '../account.js';
import { fill, isolate, part } from '../part.js';

const PAGE = location.origin + location.pathname;

/** Codes that were just made, while they are shown: to copy, download and print. */
export class ShownCodes {
  private codes: readonly string[] = [];

  constructor(private readonly account: Account) {
    part('copy-codes').addEventListener('click', () => void this.copy());
    part('download-codes').addEventListener('click', () => this.download());
    part('print-codes').addEventListener('click', () => globalThis.print());
    part('codes-kept').addEventListener('click', () => this.hide());
  }

  show(codes: readonly string[]) {
    this.codes = codes;
    part('codes-owner').textContent = this.owner(isolate);
    part('codes').replaceChildren(...codes.map(itemOf));
    part('new-codes').hidden = false;
    document.body.dataset['print'] = 'codes';
    part('new-codes-heading').focus();
  }

  private hide() {
    this.codes = [];
    part('codes').replaceChildren();
    part('new-codes').hidden = true;
    delete document.body.dataset['print'];
    part('recovery-codes-heading').focus();
  }

  private async copy() {
    const { copied, copyFailed } = this.account.texts.recoveryCodes;
    try {
      await navigator.clipboard.writeText(this.codes.join('\n'));
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
    link.download = fill(fileName, { host: location.hostname });
    link.click();
    URL.revokeObjectURL(link.href);
  }

  private fileText() {
    const codes = this.codes.join('\n');
    const values = { owner: this.owner(String), page: PAGE, codes };
    return fill(this.account.texts.recoveryCodes.file, values);
  }

  /** `mark` is for what others wrote, and for addresses. */
  private owner(mark: (name: string) => string) {
    const { lang } = document.documentElement;
    const date = new Intl.DateTimeFormat(lang, { dateStyle: 'long' }).format();
    const name = part('display-name').textContent?.trim() ?? '';
    return fill(this.account.texts.recoveryCodes.owner, {
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
