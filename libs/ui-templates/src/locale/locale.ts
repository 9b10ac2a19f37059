/** Texts that cannot be used; the message is one line for the operator who starts the service. */
export class TextsError extends Error {
  override readonly name = 'TextsError';
}

/** A language of the pages. */
export interface Locale {
  /** BCP 47, in its canonical form: `de`, `pt-BR`. */
  readonly tag: string;
  readonly direction: 'ltr' | 'rtl';
}

/** Throws TextsError for an invalid tag. */
export function localeOf(tag: string): Locale {
  if (!isTag(tag)) throw new TextsError(`${JSON.stringify(tag)} is no BCP 47 tag`);
  const locale = new Intl.Locale(tag);
  const { script = '' } = locale.maximize();
  return { tag: locale.toString(), direction: RIGHT_TO_LEFT.has(script) ? 'rtl' : 'ltr' };
}

export function isTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

/** Right-to-left scripts of living languages (ISO 15924). TypeScript does not declare `getTextInfo` yet. */
const RIGHT_TO_LEFT = new Set(['Adlm', 'Arab', 'Aran', 'Hebr', 'Nkoo', 'Rohg', 'Syrc', 'Thaa']);

/** Former language codes, which some devices and people still use, with their successors. */
const FORMER = new Map([
  ['iw', 'he'],
  ['in', 'id'],
  ['ji', 'yi'],
]);

/** In lower case, with the current code of the language. */
export const currentTag = (tag: string) =>
  tag.toLowerCase().replace(/^[a-z]+/, (language) => FORMER.get(language) ?? language);
