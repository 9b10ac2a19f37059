import { setImmediate, setTimeout } from 'node:timers/promises';
import { whileWaiting } from '#libs/load';
import { Semaphore } from './semaphore.js';

/** What takes less does not keep others waiting. */
const SHORT_MS = 1;
/** An account that worked for so long waits three times as long: others have the rest. */
const REST_PER_WORK = 3;

/**
 * Has the requests of an account come one after another, with room between them for everybody else:
 * one a turn of the event loop, and what is long gets no more than a quarter of it. What they ask for
 * goes on side by side; only what keeps the process busy before it first waits counts.
 */
export class AccountTurns {
  private readonly turns = new Semaphore({ perKey: 1 });

  /** Resolves when it is the account's turn, which lasts until the caller waits for something. */
  async take(account: string): Promise<void> {
    if (!this.turns.tryAcquire(account)) await whileWaiting(() => this.turns.acquire(account));
    const startedAt = performance.now();
    // Comes when all has been done that can be done without waiting.
    process.nextTick(async () => {
      await rest(performance.now() - startedAt);
      this.turns.release(account);
    });
  }
}

const rest = async (workedMs: number) => {
  if (workedMs < SHORT_MS) await setImmediate();
  else await setTimeout(workedMs * REST_PER_WORK, undefined, { ref: false });
};
