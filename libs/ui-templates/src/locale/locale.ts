/** Texts that cannot be used; the message is one line for the person who starts the service. */
export class TextsError extends Error {
  override readonly name = 'TextsError';
}

/** A language as pages are written in it. */
export interface Locale {
  /** BCP 47, in its canonical form: `de`, `pt-BR`. */
  readonly tag: string;
  readonly direction: 'ltr' | 'rtl';
}

/** Throws TextsError for what is no tag. */
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

/** ISO 15924, those that languages of today are written in. TypeScript does not know `getTextInfo` yet. */
const RIGHT_TO_LEFT = new Set(['Adlm', 'Arab', 'Aran', 'Hebr', 'Nkoo', 'Rohg', 'Syrc', 'Thaa']);

/** Language codes that became others, and that some devices and people still write. */
const FORMER = new Map([
  ['iw', 'he'],
  ['in', 'id'],
  ['ji', 'yi'],
]);

/** In lower case, with the code that the language has today. */
export const currentTag = (tag: string) =>
  tag.toLowerCase().replace(/^[a-z]+/, (language) => FORMER.get(language) ?? language);
