import type { ServerResponse } from 'node:http';

/** More than a timer of Node can wait for: no answer takes so long. */
const LONGEST_MS = 2 ** 31 - 1;

/** What ended in the database without a word to this replica is noticed within 30 seconds. */
const ROUND_MS = 20_000;

/**
 * Ends an answer that is still open when its grant ends, such as a stream that only listens: by its time,
 * or when `isActive` says so. While that fails nothing is known to have ended. Of one that nobody waits for
 * any more nothing is kept.
 */
export function endWithGrant(
  response: ServerResponse,
  endsAt: number,
  isActive: () => Promise<boolean>,
): void {
  if (response.destroyed) return;
  const end = () => void response.destroy();
  const left = Math.min(endsAt - Date.now(), LONGEST_MS);
  const timer = setTimeout(end, left).unref();
  const ask = () =>
    isActive().then(
      (active) => active || end(),
      () => undefined,
    );
  const rounds = setInterval(() => void ask(), ROUND_MS).unref();
  response.once('close', () => {
    clearTimeout(timer);
    clearInterval(rounds);
  });
}
