import type { Account } from '../account.js';
import { fill, isolate, part } from '../part.js';
import { offerPasskey } from '../passkeys/add-passkey.js';
import type { Passkey } from '../passkeys/passkey.js';
import { explainLast, removePasskey, renamePasskey } from '../passkeys/passkey-care.js';
import {
  dateWords,
  keptWords,
  lossWords,
  nameOf,
  type RecoveryCodes,
} from '../passkeys/passkey-words.js';
import { type Row, showRows } from '../rows.js';
import type { Section } from '../section.js';

/** The passkeys of the account: add, rename and remove one. */
export function passkeysSection(account: Account): Section {
  const texts = account.texts.passkeys;
  const add = offerPasskey(account, {
    button: 'add-passkey',
    fault: 'passkey-fault',
    waiting: 'passkey-waiting',
  });

  const fillRow = (row: Row, passkey: Passkey, isLast: boolean) => {
    const name = nameOf(passkey, texts);
    row.text('name', name);
    row.text('kept', keptWords(passkey, account.texts));
    row.text('dates', dateWords(passkey, account.texts));
    row.slot('current').hidden = !passkey.current;
    row.button('rename', fill(texts.renameOne, { name: isolate(name) }), () => {
      void renamePasskey(account, passkey);
    });
    row.button('remove', fill(texts.removeOne, { name: isolate(name) }), () => {
      void (isLast ? explainLast(account, add) : removePasskey(account, passkey));
    });
  };

  return {
    id: 'passkeys',
    async load(get) {
      const [{ passkeys }, codes] = await Promise.all([
        get<{ readonly passkeys: readonly Passkey[] }>('/svc/me/passkeys'),
        get<RecoveryCodes>('/svc/me/recovery-codes').catch(() => undefined),
      ]);
      return () => {
        showRows(passkeys, {
          list: 'passkey-list',
          template: 'passkey-row',
          keyOf: ({ id }) => id,
          fill: (row, passkey) => fillRow(row, passkey, passkeys.length === 1),
        });
        showLoss(account, passkeys, codes);
      };
    },
  };
}

/** Recovery codes are offered only where the page has a section for them. */
function showLoss(
  account: Account,
  passkeys: readonly Passkey[],
  codes: RecoveryCodes | undefined,
) {
  const offersCodes = document.querySelector('#recovery-codes') !== null;
  const loss = lossWords(passkeys, codes, account.texts.passkeys, offersCodes);
  part('passkey-loss').hidden = loss === undefined;
  part('passkey-loss').classList.toggle('warning', loss?.isGrave === true);
  part('passkey-loss > p').textContent = loss?.text ?? '';
  part('add-passkey').classList.toggle('main', loss?.isGrave === true);
  part('get-codes').hidden = !(offersCodes && loss?.isGrave === true);
}
