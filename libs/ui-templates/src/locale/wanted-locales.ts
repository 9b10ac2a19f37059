import { currentTag } from './locale.js';

/** What a browser and an app say about languages; whatever else they say counts as nothing. */
export interface Wishes {
  /** `Accept-Language` (RFC 9110 §12.5.4). */
  readonly acceptLanguage?: string | undefined;
  /** `ui_locales` (OpenID Connect Core §3.1.2.1): tags with spaces between them, the best first. */
  readonly uiLocales?: string | null | undefined;
}

/** As much as is looked at: strangers write it. */
const MAX_LENGTH = 500;
const MAX_RANGES = 20;

const RANGE =
  /^\s*([a-z]{2,8}(?:-[a-z\d]{1,8})*)\s*(?:;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/i;

/** Tags in lower case, the best first: what the app asks for comes before what the browser says. */
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
