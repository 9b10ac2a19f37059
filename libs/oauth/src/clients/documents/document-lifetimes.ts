import type { KnownDocument } from './client-document-cache.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

const LEAST_FRESH_MS = MINUTE;
const MOST_FRESH_MS = DAY;
/** Since it was fetched; serves refresh and revocation when there is no better copy. */
const LAST_GOOD_LIFETIME_MS = 7 * DAY;

/** Of a document that no grant uses, however fresh: time to give the app one, which keeps it for longer. */
export const TRIAL_LIFETIME_MS = 10 * MINUTE;

/** For so long a document that was refused is not asked for again. */
export const REFUSAL_LIFETIME_MS = 30 * SECOND;

/** Until when a document that was fetched just now is good for what. */
export function documentTimes(
  cacheControl: string | undefined,
): Pick<KnownDocument, 'freshUntil' | 'lastGoodUntil'> {
  const now = Date.now();
  return {
    freshUntil: now + freshForMs(cacheControl),
    lastGoodUntil: now + LAST_GOOD_LIFETIME_MS,
  };
}

/** Whether nobody has to ask for the document again. */
export const isFresh = ({ freshUntil }: KnownDocument) => freshUntil > Date.now();

/**
 * For how long a shared cache may serve an answer without asking again, by its `Cache-Control`
 * (RFC 9111 §5.2.2): never less than 60 seconds, never more than 24 hours.
 */
export function freshForMs(cacheControl: string | undefined): number {
  const directives = parse(cacheControl ?? '');
  if (['no-store', 'no-cache', 'private'].some((name) => directives.has(name))) {
    return LEAST_FRESH_MS;
  }
  const seconds = directives.get('s-maxage') ?? directives.get('max-age') ?? '';
  if (!/^\d+$/.test(seconds)) return LEAST_FRESH_MS;
  return Math.min(Math.max(Number(seconds) * SECOND, LEAST_FRESH_MS), MOST_FRESH_MS);
}

/** By name in lower case; the first of several counts. */
function parse(cacheControl: string) {
  const directives = new Map<string, string>();
  for (const directive of cacheControl.split(',')) {
    const [name = '', value = ''] = directive.split('=', 2).map((part) => part.trim());
    const key = name.toLowerCase();
    if (!directives.has(key)) directives.set(key, value.replaceAll('"', ''));
  }
  return directives;
}
