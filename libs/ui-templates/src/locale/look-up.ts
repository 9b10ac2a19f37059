import { currentTag, isTag, TextsError } from './locale.js';

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
    if (!isTag(key)) throw new TextsError(`${what}: ${tag} is no BCP 47 tag`);
    if (typeof text !== 'string' || text.trim() === '') {
      throw new TextsError(`${what}: there is none in ${tag}`);
    }
  }
}
