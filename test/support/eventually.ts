import { setTimeout as sleep } from 'node:timers/promises';

/** Repeats `attempt` until it neither throws nor rejects; after `deadlineMs` fails with its last error. */
export async function eventually<T>(
  attempt: () => T | Promise<T>,
  deadlineMs = 15_000,
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
