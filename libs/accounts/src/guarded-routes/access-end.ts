import type { ServerResponse } from 'node:http';

/** With this interval an end that this replica was not notified of is noticed within 30 seconds. */
const ROUND_MS = 20_000;

/**
 * Closes a response that is still open, such as a long call, when the session or grant behind it ends: at `endsAt`
 * (epoch milliseconds), or when `isActive` resolves to false. While `isActive` rejects, access counts as active.
 * The timer is cleared once the response is closed.
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
