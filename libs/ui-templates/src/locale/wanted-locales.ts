import { currentTag } from './locale.js';

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
