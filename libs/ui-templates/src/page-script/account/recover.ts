import type { RecoverTexts } from '../../account/account-texts.js';
import { Refusal, send } from '../auth-api.js';
import { fillNumber, log, part } from '../elements.js';
import { errorMessage } from '../error-messages.js';

/** The lengths of a saved recovery code and of a code from a link. */
const CODE_LENGTHS = new Set([24, 32]);

/** The recovery code in typed or pasted text: the code alone, or the whole link that contains it. */
export const codeIn = (text: string) => text.slice(text.lastIndexOf('#') + 1).trim();

/** The number of letters and digits in a code of the wrong length; undefined when the length is right. */
export function wrongLength(code: string): number | undefined {
  // As the service reads it.
  const { length } = code.normalize('NFKC').replaceAll(/[^\da-z]/gi, '');
  return CODE_LENGTHS.has(length) ? undefined : length;
}

/** A fault of the code itself: only these are shown beside its field. */
class CodeError extends Error {}

export function startRecover(texts: RecoverTexts) {
  const code = part<HTMLInputElement>('code');
  const act = part<HTMLButtonElement>('act');
  let isBusy = false;

  const setBusy = (busy: boolean) => {
    isBusy = busy;
    act.setAttribute('aria-disabled', String(busy));
    if (busy) part('status').textContent = texts.recover.working;
  };
  const recover = async () => {
    if (isBusy) return;
    explain(undefined);
    setBusy(true);
    try {
      await send('POST', '/svc/recovery', { code: checked(code.value, texts) });
      part('status').textContent = texts.recover.done;
      location.replace('/svc/account');
    } catch (error) {
      log(error);
      setBusy(false);
      explain(error);
    }
  };
  const explain = (error: unknown) => {
    const isOfCode = error instanceof CodeError || isRefused(error, 400);
    const message = error === undefined ? '' : messageOf(error, texts);
    code.setAttribute('aria-invalid', String(isOfCode));
    part('code-fault').textContent = isOfCode ? message : '';
    part('status').textContent = isOfCode ? '' : message;
    if (isOfCode) code.focus();
  };

  part('recover').addEventListener('submit', (event) => {
    event.preventDefault();
    void recover();
  });
  part<HTMLFormElement>('recover').noValidate = true;
  act.disabled = false;
  takeFromLink(texts);
  globalThis.addEventListener('hashchange', () => takeFromLink(texts));
}

/**
 * Removes the code from the address bar before anyone else can read it there. It is used only after a click: a link
 * that signs in by itself could sign its reader in to another person's account.
 */
function takeFromLink({ recover: { fromLink } }: RecoverTexts) {
  const code = codeIn(location.hash);
  if (location.href.includes('#')) {
    history.replaceState(history.state, '', location.pathname + location.search);
  }
  if (code === '') return;
  part<HTMLInputElement>('code').value = code;
  part('status').textContent = fromLink;
  part('act').focus();
}

function checked(typed: string, { recover: words }: RecoverTexts): string {
  const code = codeIn(typed);
  if (code === '') throw new CodeError(words.empty);
  const length = wrongLength(code);
  if (length !== undefined) throw new CodeError(fillNumber(words.incomplete, length));
  return code;
}

function messageOf(error: unknown, { ceremonies, recover: words }: RecoverTexts): string {
  if (error instanceof CodeError) return error.message;
  if (isRefused(error, 400)) return words.wrong;
  if (isRefused(error, 403) && !/cross-origin/.test(error.reason)) return words.disabled;
  const { offline } = words;
  return errorMessage(error, 'signIn', { ...ceremonies, offline }) ?? '';
}

const isRefused = (error: unknown, status: number): error is Refusal =>
  error instanceof Refusal && error.status === status;
