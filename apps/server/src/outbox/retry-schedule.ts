/**
 * The delay that `Retry-After` asks for, in seconds or as a date (RFC 9110 §10.2.3); undefined for any other value.
 */
export function retryAfterMs(
  value: string | string[] | undefined,
  now: number,
): number | undefined {
  if (typeof value !== 'string') return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const at = value.endsWith(' GMT') ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

/** The schedule that Standard Webhooks recommend, in seconds, up to a day; the first attempt is made at once. */
const PAUSES = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
const LONGEST_MS = 86_400_000;

/** The share by which a pause varies, so that events that failed together are not retried together. */
const JITTER = 0.1;

/** Milliseconds until the next attempt; undefined when it is given up. A longer `askedPauseMs` counts, up to a day. */
export function pauseAfter(
  failures: number,
  askedPauseMs = 0,
  random = Math.random(),
): number | undefined {
  const pause = PAUSES[failures - 1];
  if (pause === undefined) return undefined;
  const pauseMs = pause * 1000;
  const askedMs = Math.min(askedPauseMs || 0, LONGEST_MS) * (1 + JITTER * random);
  return Math.round(Math.max(pauseMs * (1 + JITTER * (2 * random - 1)), askedMs));
}
