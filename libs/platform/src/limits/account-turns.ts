import { setImmediate, setTimeout } from 'node:timers/promises';
import { Module } from '@nestjs/common';
import { whileWaiting } from '../request-context.js';
import { Semaphore } from './semaphore.js';

/** What takes less does not keep others waiting. */
const SHORT_MS = 1;
/** After its work an account waits three times as long as that took: the rest of the time is for others. */
const REST_PER_WORK = 3;

/**
 * Lets the requests of an account begin one after another, with time between them for other accounts: one a turn
 * of the event loop, and long ones get at most a quarter of the time. What they wait for goes on side by side;
 * only the work before the first wait counts.
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

/** The one queue of each account's turns: modules that import this share it. */
@Module({ providers: [AccountTurns], exports: [AccountTurns] })
export class AccountTurnsModule {}
