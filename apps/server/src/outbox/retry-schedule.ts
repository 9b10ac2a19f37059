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

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The schedule that Standard Webhooks recommend; the first attempt is made at once. */
const PAUSES_MS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

const LONGEST_MS = 24 * HOUR;

/** The share by which a pause varies, so that events that failed together are not retried together. */
const JITTER = 0.1;

/** Milliseconds until the next attempt; undefined when it is given up. A longer `askedPauseMs` counts, up to a day. */
export function pauseAfter(
  failures: number,
  askedPauseMs = 0,
  random = Math.random(),
): number | undefined {
  const pauseMs = PAUSES_MS[failures - 1];
  if (pauseMs === undefined) return undefined;
  const askedMs = Math.min(askedPauseMs || 0, LONGEST_MS) * (1 + JITTER * random);
  return Math.round(Math.max(pauseMs * (1 + JITTER * (2 * random - 1)), askedMs));
}
