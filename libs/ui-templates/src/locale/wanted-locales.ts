import { canonicalTag } from './locale.js';

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

const RANGE = /^\s*([a-z\d-]{2,35})\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?$/i;

/** Canonical tags, the best first: what the app asks for comes before what the browser says. */
export function* wantedLocales({ acceptLanguage = '', uiLocales }: Wishes): Iterable<string> {
  for (const tag of (uiLocales ?? '').slice(0, MAX_LENGTH).split(' ', MAX_RANGES)) {
    const canonical = canonicalTag(tag);
    if (canonical !== undefined) yield canonical;
  }
  const ranges = acceptLanguage.slice(0, MAX_LENGTH).split(',', MAX_RANGES).map(rangeOf);
  for (const { tag, quality } of ranges.toSorted((a, b) => b.quality - a.quality)) {
    const canonical = quality > 0 ? canonicalTag(tag) : undefined;
    if (canonical !== undefined) yield canonical;
  }
}

function rangeOf(text: string) {
  const [, tag = '', quality = '1'] = RANGE.exec(text) ?? [];
  return { tag, quality: Math.min(1, Number(quality)) };
}
