import type { ServerResponse } from 'node:http';

/** More than a timer of Node can wait for: no answer takes so long. */
const LONGEST_MS = 2 ** 31 - 1;

/** Ends an answer that is still open when its grant ends, such as a stream that only listens. */
export function endWithGrant(response: ServerResponse, endsAt: number): void {
  const left = Math.min(endsAt - Date.now(), LONGEST_MS);
  const timer = setTimeout(() => response.destroy(), left).unref();
  response.once('close', () => clearTimeout(timer));
}
