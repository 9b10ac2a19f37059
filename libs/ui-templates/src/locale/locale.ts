/** Texts that cannot be used; the message is one line for the operator who starts the service. */
export class TextsError extends Error {
  override readonly name = 'TextsError';
}

export interface Locale {
  /** BCP 47, in its canonical form: `de`, `pt-BR`. */
  readonly tag: string;
  readonly direction: 'ltr' | 'rtl';
}

/** Throws TextsError for an invalid tag. */
export function localeOf(given: string): Locale {
  const tag = canonical(given);
  if (tag === undefined) throw new TextsError(`${JSON.stringify(given)} is no BCP 47 tag`);
  const { script = '' } = new Intl.Locale(tag).maximize();
  return { tag, direction: RIGHT_TO_LEFT.has(script) ? 'rtl' : 'ltr' };
}

/** With the current code of its language, such as `he` for `iw`; undefined for an invalid tag. */
function canonical(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}

/** As {@link lookUp} takes it. */
const currentTag = (tag: string) => (canonical(tag) ?? tag).toLowerCase();

/** Right-to-left scripts of living languages (ISO 15924). TypeScript does not declare `getTextInfo` yet. */
const RIGHT_TO_LEFT = new Set(['Adlm', 'Arab', 'Aran', 'Hebr', 'Nkoo', 'Rohg', 'Syrc', 'Thaa']);

/**
 * The entry of `available` that fits a wanted language best: the tag itself, or the tag without its last subtags (RFC
 * 4647 §3.4): `de-CH-1996`, `de-CH`, `de`.
 *
 * @param available by tag in lower case
 */
export function lookUp<Found>(wanted: string, available: ReadonlyMap<string, Found>) {
  let range = wanted.toLowerCase();
  while (range !== '') {
    const found = available.get(range);
    if (found !== undefined) return found;
    range = range.slice(0, Math.max(0, range.lastIndexOf('-'))).replace(/-[a-z\d]$/, '');
  }
  return undefined;
}

/** A text in some languages, by BCP 47 tag. */
export type TextByTag = Readonly<Record<string, string>>;

/** The text in the language that fits best; undefined where none fits. */
export function textFor(tag: string, texts: TextByTag = {}): string | undefined {
  const available = new Map(Object.entries(texts).map(([key, text]) => [currentTag(key), text]));
  return lookUp(tag, available);
}

/** Throws TextsError whose message begins with `what`, the name of these texts. */
export function expectTexts(what: string, texts: TextByTag = {}) {
  for (const [key, text] of Object.entries<unknown>(texts)) {
    const tag = JSON.stringify(key);
    if (canonical(key) === undefined) throw new TextsError(`${what}: ${tag} is no BCP 47 tag`);
    if (typeof text !== 'string' || text.trim() === '') {
      throw new TextsError(`${what}: there is none in ${tag}`);
    }
  }
}

/** The language preferences of a browser and an app; unparseable values are ignored. */
export interface Wishes {
  /** `Accept-Language` (RFC 9110 §12.5.4). */
  readonly acceptLanguage?: string | undefined;
  /** `ui_locales` (OpenID Connect Core §3.1.2.1): tags separated by spaces, the most preferred first. */
  readonly uiLocales?: string | null | undefined;
}

/** Characters that are parsed at most, because any client can send this. */
const MAX_LENGTH = 500;
const MAX_RANGES = 20;

const RANGE =
  /^\s*([a-z]{2,8}(?:-[a-z\d]{1,8})*)\s*(?:;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/i;

/** Tags in lower case, the most preferred first: the app's preferences precede the browser's. */
export function wantedLocales({ acceptLanguage, uiLocales }: Wishes): readonly string[] {
  const asked = ranges(uiLocales, ' ');
  const accepted = ranges(acceptLanguage, ',')
    .filter(({ quality }) => quality > 0)
    .toSorted((one, other) => other.quality - one.quality);
  return [...asked, ...accepted].map(({ tag }) => tag);
}

function ranges(list: string | null | undefined, separator: string) {
  if (!list) return [];
  const parts = list.slice(0, MAX_LENGTH).split(separator, MAX_RANGES);
  return parts.flatMap((part) => {
    const [, tag, quality = '1'] = RANGE.exec(part) ?? [];
    return tag === undefined ? [] : { tag: currentTag(tag), quality: Number(quality) };
  });
}
