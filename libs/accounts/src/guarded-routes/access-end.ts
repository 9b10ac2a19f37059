import type { ServerResponse } from 'node:http';

/** What ended in the database without a word to this replica is noticed within 30 seconds. */
const ROUND_MS = 20_000;

/**
 * Ends an answer that is still open when the session or grant that it is given to ends, such as a call that
 * takes long: at `endsAt`, in epoch milliseconds, or when `isActive` says so. While that fails nothing is
 * known to have ended. Of one that nobody waits for any more nothing is kept.
 */
export function endWithAccess(
  response: ServerResponse,
  endsAt: number,
  isActive: () => Promise<boolean>,
): void {
  if (response.destroyed) return;
  let timer: NodeJS.Timeout;
  const end = () => void response.destroy();
  const wait = () => {
    const left = endsAt - Date.now();
    timer = setTimeout(left > ROUND_MS ? round : end, Math.min(left, ROUND_MS)).unref();
  };
  const round = () => {
    wait();
    void isActive().then(
      (active) => active || end(),
      () => undefined,
    );
  };
  wait();
  response.once('close', () => clearTimeout(timer));
}
