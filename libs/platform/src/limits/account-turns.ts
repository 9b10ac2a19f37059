import type { ServerResponse } from 'node:http';
import { setImmediate, setTimeout as pause } from 'node:timers/promises';
import { Module } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { currentWork, onExchangeEnd, whileWaiting } from '../request-context.js';
import { Semaphore } from './semaphore.js';

/** Requests of a session or an app, and of all sessions or all apps of an account, that are begun at a time. */
const AT_ONCE = 4;
/** Those of one that wait, and of all in this process. Each holds its head. */
const MAX_WAITING_OF = { session: 32, app: 128 };
const MAX_WAITING = 8_000;
/** How often it is asked whether a request waits for another party, and so does not keep the process busy. */
const LOOK_MS = 20;
/** One that takes longer may wait for something that it does not tell. */
const LONG_MS = 250;
const REFUSAL_MS = 250;

/** What was checked before it waited longer for its turn is checked again. */
export const SHORT_WAIT_MS = 20;

/** Shorter work does not delay other accounts. */
const SHORT_MS = 1;
/** After longer work that of all accounts waits as long as it took, so that the rest has half of the time. */
const HEAVY_MS = 5;
/** After its work an account waits three times as long as the work took. */
const REST_PER_WORK = 3;
/** What `map` does in a turn, and one item more. */
const SLICE_MS = 2;
/** After which long work counts half. */
const HALF_LIFE_MS = 1_000;
const MAX_ENTRIES = 2_000;

interface Use {
  readonly ms: number;
  readonly at: number;
}

const UNUSED: Use = { ms: 0, at: 0 };

/** Whose a request is: `id` is that of a session, or of an app's grant or machine client. */
export interface TurnHolder {
  readonly by: 'session' | 'app';
  readonly id: string;
  readonly account: string;
}

const beginnings = (maxWaitingPerKey: number) => ({
  ofEach: new Semaphore({ perKey: AT_ONCE, maxWaitingPerKey, maxWaiting: MAX_WAITING }),
  ofAccount: new Semaphore({ perKey: AT_ONCE }),
});

/**
 * Limits how much of an account is at work at a time, in this process. Its requests begin a few at a time (`begin`),
 * before anything is done for them. Their long work comes in turns (`take`): one per turn of the event loop, and at
 * most a quarter of the time, so that other accounts come in between; the account that used least lately comes first.
 * Only the work before the next wait counts; waits overlap.
 */
export class AccountTurns {
  private readonly beginnings = {
    session: beginnings(MAX_WAITING_OF.session),
    app: beginnings(MAX_WAITING_OF.app),
  };
  private readonly turns = new Semaphore({ perKey: 1 });
  /** Of all accounts, long work begins once per turn of the event loop at most, so that other requests come in between. */
  private readonly begun = new Semaphore({ inAll: 1, usedBy: (account) => this.usedBy(account) });
  /** What `usedBy` was at a time. */
  private readonly used = new LRUCache<string, Use>({ max: MAX_ENTRIES });

  /** Milliseconds of long work of the account, of which that of a second ago counts half. */
  usedBy(account: string): number {
    const { ms, at } = this.used.get(account) ?? UNUSED;
    return ms * 2 ** ((at - performance.now()) / HALF_LIFE_MS);
  }

  /**
   * Resolves when a request may begin, to true: so that others queue behind only a few requests of an account, here
   * and in the database. Its place is free again when it is answered, within 20 ms when it waits for another party, and
   * after 250 ms at the latest: what a client that left has begun goes on. Those of a session or an app wait behind few
   * of each other one of its kind, and sessions behind no app, so that no thief and no app keeps the owner from ending
   * them. Resolves to false after 250 ms where too many wait, 32 of a session or 128 of an app, and never if the
   * exchange ends before its turn.
   */
  async begin({ by, id, account }: TurnHolder, response: ServerResponse): Promise<boolean> {
    const { ofEach, ofAccount } = this.beginnings[by];
    const places: [Semaphore, string][] = [
      [ofEach, id],
      [ofAccount, account],
    ];
    const taken: [Semaphore, string][] = [];
    let gone: AbortController | undefined;
    for (const [semaphore, key] of places) {
      if (!semaphore.tryAcquire(key)) {
        gone ??= abortedBy(response);
        const { signal } = gone;
        if (!(await whileWaiting(() => semaphore.acquire(key, signal)))) {
          release(taken);
          if (signal.aborted) {
            currentWork()?.end();
            return new Promise(() => {});
          }
          return whileWaiting(refusedLater);
        }
      }
      taken.push([semaphore, key]);
    }
    const leave = () => {
      clearTimeout(timer);
      release(taken);
    };
    const endsAt = performance.now() + LONG_MS;
    const work = currentWork();
    const look = () => {
      if (work?.isWaiting || work?.isOver || performance.now() >= endsAt) leave();
      else timer = setTimeout(look, LOOK_MS).unref();
    };
    let timer = setTimeout(look, LOOK_MS).unref();
    onExchangeEnd(response, () => response.writableEnded && leave());
    return true;
  }

  /**
   * Resolves when it is the account's turn, which lasts until the caller waits for something, to the milliseconds that
   * it had to wait.
   */
  async take(account: string): Promise<number> {
    const calledAt = performance.now();
    for (const semaphore of [this.turns, this.begun]) {
      if (!semaphore.tryAcquire(account)) await whileWaiting(() => semaphore.acquire(account));
    }
    const startedAt = performance.now();
    // Runs at the caller's first wait.
    process.nextTick(async () => {
      const workedMs = performance.now() - startedAt;
      if (workedMs >= SHORT_MS) this.countUse(account, workedMs);
      if (workedMs >= HEAVY_MS) await pause(workedMs, undefined, { ref: false });
      else if (workedMs >= SHORT_MS) await setImmediate();
      this.begun.release(account);
      await rest(workedMs);
      this.turns.release(account);
    });
    return startedAt - calledAt;
  }

  /** What `work` makes of each, in as many turns of the account as it takes. */
  async map<T, R>(account: string, all: readonly T[], work: (one: T) => R): Promise<R[]> {
    const made: R[] = [];
    let endsAt = -Infinity;
    for (const one of all) {
      if (performance.now() >= endsAt) {
        await this.take(account);
        endsAt = performance.now() + SLICE_MS;
      }
      made.push(work(one));
    }
    return made;
  }

  private countUse(account: string, workedMs: number) {
    const ms = this.usedBy(account) + workedMs;
    this.used.set(account, { ms, at: performance.now() });
  }
}

function abortedBy(response: ServerResponse): AbortController {
  const gone = new AbortController();
  onExchangeEnd(response, () => gone.abort());
  return gone;
}

/** A client that repeats what is refused, as fast as it can, would keep the process busy. */
export const refusedLater = () =>
  new Promise<false>((resolve) => setTimeout(() => resolve(false), REFUSAL_MS).unref());

function release(places: [Semaphore, string][]) {
  for (const [semaphore, key] of places.splice(0)) semaphore.release(key);
}

const rest = async (workedMs: number) => {
  if (workedMs < SHORT_MS) await setImmediate();
  else await pause(workedMs * REST_PER_WORK, undefined, { ref: false });
};

/** The one queue of each account's turns: modules that import this share it. */
@Module({ providers: [AccountTurns], exports: [AccountTurns] })
export class AccountTurnsModule {}
