import { RefusalError } from '../http/refusal.error.js';

/** `Retry-After` is the whole period, not the rest of it. */
export function tooManyRequests(periodMs: number): RefusalError {
  const seconds = periodMs / 1000;
  const wait = seconds === 60 ? 'a minute' : `${seconds} seconds`;
  return new RefusalError(429, `too many requests; try again in ${wait}`, {
    'Retry-After': String(seconds),
  });
}
