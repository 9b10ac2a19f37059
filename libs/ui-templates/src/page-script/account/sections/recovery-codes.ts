import { send } from '../../auth-api.js';
import type { Account } from '../account.js';
import { fillNumber, part } from '../part.js';
import { ShownCodes } from '../recovery-codes/shown-codes.js';
import type { Section } from '../section.js';
import { timeWords } from '../time-words.js';

const CODES = '/svc/me/recovery-codes';
const CODES_AT_A_TIME = 10;

/** `createdAt` in epoch seconds, null before there were any. */
interface CodesState {
  readonly left: number;
  readonly createdAt: number | null;
}

/** The number of recovery codes left, and a button that replaces them. */
export function recoveryCodesSection(account: Account): Section {
  const texts = account.texts.recoveryCodes;
  const shown = new ShownCodes(account);
  const button = part<HTMLButtonElement>('create-codes');
  let left = 0;
  let isBusy = false;

  const make = async () => {
    const { codes } = await send<{ readonly codes: readonly string[] }>('POST', CODES);
    shown.show(codes);
  };
  const setBusy = (busy: boolean) => {
    isBusy = busy;
    button.setAttribute('aria-disabled', String(busy));
    part('codes-waiting').textContent = busy ? texts.creating : '';
  };
  /** Creates codes without confirmation, as there are none that they would replace. */
  const makeAtOnce = async () => {
    if (isBusy) return;
    part('codes-fault').textContent = '';
    setBusy(true);
    try {
      await account.fresh(make);
    } catch (error) {
      // oxlint-disable-next-line no-console
      console.warn(error);
      part('codes-fault').textContent = account.explain(error);
    } finally {
      setBusy(false);
    }
    await account.refresh();
  };
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
      const state = await get<CodesState>(CODES);
      return () => {
        left = state.left;
        button.textContent = left > 0 ? texts.createNew : texts.create;
        part('codes-left').textContent = wordsOf(state, account);
      };
    },
  };
}

function wordsOf({ left, createdAt }: CodesState, { texts }: Account): string {
  const { none, used, left: some } = texts.recoveryCodes;
  if (createdAt === null) return none;
  if (left === 0) return used;
  const when = timeWords(createdAt, texts.page);
  return fillNumber(some, left, { all: CODES_AT_A_TIME, when });
}
