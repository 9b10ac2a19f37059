import { setTimeout as sleep } from 'node:timers/promises';

/** The upper limit of any wait: a busy machine is slow, not wrong. */
export const PATIENCE_MS = 120_000;

/** Repeats `attempt` until it neither throws nor rejects; after `deadlineMs` it fails with the last error. */
export async function eventually<T>(
  attempt: () => T | Promise<T>,
  deadlineMs = PATIENCE_MS,
): Promise<T> {
  const deadline = Date.now() + deadlineMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
    await sleep(20);
  }
}
