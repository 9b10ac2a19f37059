import { setImmediate, setTimeout } from 'node:timers/promises';
import { Module } from '@nestjs/common';
import { whileWaiting } from '../request-context.js';
import { Semaphore } from './semaphore.js';

/** Shorter work does not delay other accounts. */
const SHORT_MS = 1;
/** After its work an account waits three times as long as the work took. */
const REST_PER_WORK = 3;

/**
 * Lets the requests of an account begin one after another, with time between them for other accounts: one per turn
 * of the event loop, and at most a quarter of the time for long ones. Only the work before a request's first wait
 * counts; waits overlap.
 */
export class AccountTurns {
  private readonly turns = new Semaphore({ perKey: 1 });
  /** Of all accounts, long work begins once per turn of the event loop, so that other requests come in between. */
  private readonly begun = new Semaphore({ inAll: 1 });

  /** Resolves when it is the account's turn, which lasts until the caller waits for something. */
  async take(account: string): Promise<void> {
    if (!this.turns.tryAcquire(account)) await whileWaiting(() => this.turns.acquire(account));
    if (!this.begun.tryAcquire(account)) await whileWaiting(() => this.begun.acquire(account));
    const startedAt = performance.now();
    // Runs at the caller's first wait.
    process.nextTick(async () => {
      const workedMs = performance.now() - startedAt;
      if (workedMs >= SHORT_MS) await setImmediate();
      this.begun.release(account);
      await rest(workedMs);
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
