import type { AccountScriptTexts } from '../../../account/account-texts.js';
import { capital, fill, fillNumber, isolate } from '../part.js';
import { timeWords } from '../time-words.js';
import type { Passkey } from './passkey.js';

type Texts = AccountScriptTexts['passkeys'];

/** The answer of `/svc/me/recovery-codes`. */
export interface RecoveryCodes {
  readonly left: number;
}

export const nameOf = ({ name, provider }: Passkey, { unnamed }: Texts) =>
  name ?? provider ?? unnamed;

/** Which manager keeps the passkey, and whether it is lost with its device, as far as that is known. */
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

/** For the passkey that created the account, "not used yet" would be untrue in that same session. */
export function dateWords(
  { createdAt, lastUsedAt, current }: Passkey,
  { passkeys: texts, page }: Pick<AccountScriptTexts, 'passkeys' | 'page'>,
): string {
  const added = fill(texts.added, { when: timeWords(createdAt, page) });
  if (lastUsedAt === null && current) return capital(added);
  const used =
    lastUsedAt === null ? texts.unused : fill(texts.used, { when: timeWords(lastUsedAt, page) });
  return capital(fill(page.both, { first: added, second: used }));
}

/** The answer of a ceremony that created a passkey. */
export interface MadePasskey {
  readonly id: string;
  readonly authenticatorAttachment?: string | undefined;
  readonly response: { readonly transports?: readonly string[] | undefined };
}

/** The suggested name of a new passkey: its browser, "Chrome on Linux", or the manager that keeps it elsewhere. */
export function suggestedName(
  { authenticatorAttachment, response: { transports = [] } }: MadePasskey,
  browser: string,
  { nameKey, namePhone }: Texts,
): string {
  if (authenticatorAttachment !== 'cross-platform') return browser;
  return transports.includes('hybrid') ? namePhone : nameKey;
}

/**
 * What losing the only passkey means; undefined when there are more. `offersCodes`: the page has a section for
 * recovery codes.
 */
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
