import type { AccountScriptTexts } from '../../account-texts.js';
import { capital, fill, fillNumber, isolate } from '../part.js';
import { timeWords } from '../time-words.js';
import type { Passkey } from './passkey.js';

type Texts = AccountScriptTexts['passkeys'];

/** As `/svc/me/recovery-codes` tells it. */
export interface RecoveryCodes {
  readonly left: number;
}

export const nameOf = ({ name, provider }: Passkey, { unnamed }: Texts) =>
  name ?? provider ?? unnamed;

/** Who keeps it and whether it is lost with its device, as far as that is known. */
export function keptWords(
  { name, provider, synced }: Passkey,
  { passkeys, page }: Pick<AccountScriptTexts, 'passkeys' | 'page'>,
): string {
  const reach = reachOf(synced, passkeys);
  if (name === null || provider === null) return capital(reach);
  return reach === '' ? provider : fill(page.both, { first: isolate(provider), second: reach });
}

function reachOf(synced: boolean | null, texts: Texts) {
  if (synced === null) return '';
  return synced ? texts.synced : texts.notSynced;
}

export function dateWords(
  { createdAt, lastUsedAt }: Passkey,
  { passkeys: texts, page }: Pick<AccountScriptTexts, 'passkeys' | 'page'>,
): string {
  const added = fill(texts.added, { when: timeWords(createdAt, page) });
  const used =
    lastUsedAt === null ? texts.unused : fill(texts.used, { when: timeWords(lastUsedAt, page) });
  return capital(fill(page.both, { first: added, second: used }));
}

/** What happens when the only passkey is lost; undefined when there are more. `offersCodes`: there is a section for them. */
export function lossWords(
  passkeys: readonly Passkey[],
  codes: RecoveryCodes | undefined,
  texts: Texts,
  offersCodes: boolean,
): { readonly text: string; readonly isGrave: boolean } | undefined {
  const [only, ...more] = passkeys;
  if (only === undefined || more.length > 0) return undefined;
  const left = codes?.left ?? 0;
  if (left > 0) {
    const words = fillNumber(texts.codesLeft, left);
    return { text: fill(texts.lossCodes, { left: words }), isGrave: false };
  }
  const advice = offersCodes ? texts.lossAdvice : texts.lossAdvicePasskey;
  return { text: `${lossOf(only, texts)} ${advice}`, isGrave: true };
}

function lossOf({ synced }: Passkey, texts: Texts) {
  if (synced === null) return texts.lossUnknown;
  return synced ? texts.lossSynced : texts.lossOneDevice;
}
