import type { ServerResponse } from 'node:http';

/** More than a timer of Node can wait for: no answer takes so long. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * Ends an answer that is still open when its grant ends, such as a stream that only listens. Of one that
 * nobody waits for any more nothing is kept.
 */
export function endWithGrant(response: ServerResponse, endsAt: number): void {
  if (response.destroyed) return;
  const left = Math.min(endsAt - Date.now(), LONGEST_MS);
  const timer = setTimeout(() => response.destroy(), left).unref();
  response.once('close', () => clearTimeout(timer));
}
