import type { AccountScriptTexts } from '../../account-texts.js';
import { capital, fill } from '../part.js';
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
export function keptWords({ name, provider, synced }: Passkey, texts: Texts): string {
  const reach = reachOf(synced, texts);
  if (name === null || provider === null) return capital(reach);
  return reach === '' ? provider : `${provider}, ${reach}`;
}

function reachOf(synced: boolean | null, texts: Texts) {
  if (synced === null) return '';
  return synced ? texts.synced : texts.notSynced;
}

export function dateWords(
  { createdAt, lastUsedAt }: Passkey,
  { passkeys: texts, page }: AccountScriptTexts,
): string {
  const added = fill(texts.added, { when: timeWords(createdAt, page) });
  if (lastUsedAt === null) return `${added}, ${texts.unused}`;
  return `${added}, ${fill(texts.used, { when: timeWords(lastUsedAt, page) })}`;
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
    const { one, other } = texts.codesLeft;
    return {
      text: fill(texts.lossCodes, { left: fill(left === 1 ? one : other, { n: left }) }),
      isGrave: false,
    };
  }
  const advice = offersCodes ? texts.lossAdvice : texts.lossAdvicePasskey;
  return { text: `${lossOf(only, texts)} ${advice}`, isGrave: true };
}

function lossOf({ synced }: Passkey, texts: Texts) {
  if (synced === null) return texts.lossUnknown;
  return synced ? texts.lossSynced : texts.lossOneDevice;
}
