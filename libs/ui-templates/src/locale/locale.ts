import { TextsError } from './texts.error.js';

/** A language as pages are written in it. */
export interface Locale {
  /** BCP 47, in its canonical form: `de`, `pt-BR`. */
  readonly tag: string;
  readonly direction: 'ltr' | 'rtl';
}

/** Throws TextsError for what is no tag. */
export function localeOf(tag: string): Locale {
  const canonical = canonicalTag(tag);
  if (canonical === undefined) throw new TextsError(`${JSON.stringify(tag)} is no BCP 47 tag`);
  return { tag: canonical, direction: directionOf(canonical) };
}

/** Undefined for what is no tag. */
export function canonicalTag(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}

function directionOf(tag: string): Locale['direction'] {
  const { script } = new Intl.Locale(tag).maximize();
  return RIGHT_TO_LEFT.has(script ?? '') ? 'rtl' : 'ltr';
}

/** ISO 15924, those that languages of today are written in. TypeScript does not know `getTextInfo` yet. */
const RIGHT_TO_LEFT = new Set(['Adlm', 'Arab', 'Aran', 'Hebr', 'Nkoo', 'Rohg', 'Syrc', 'Thaa']);
