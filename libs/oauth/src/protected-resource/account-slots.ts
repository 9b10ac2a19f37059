import type { ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { hashSecret } from '#libs/accounts';
import { Semaphore, onExchangeEnd, roomAsNeeded, whileWaiting } from '#libs/platform';

/** Of one account. */
const AT_ONCE = 4;
/** A request that takes longer waits for something, and does not keep the process busy. */
const LONG_MS = 20;
const MAX_REMEMBERED = 10_000;

/**
 * Lets an account begin few requests at a time, before anything is done for them: whatever it sends,
 * a request of another account finds few of it in front of it, here and in the database. One that
 * takes longer than 20 ms makes room for the next. The account of a token that was not seen lately is not
 * known; that token counts by itself.
 */
export class AccountSlots {
  private readonly beginning = new Semaphore({ perKey: AT_ONCE });
  private readonly accounts = new LRUCache<string, string>(roomAsNeeded(MAX_REMEMBERED));

  /**
   * Resolves when a request with that token may begin, to what takes whose token it is, for those that come
   * later; never when its exchange ends before that.
   */
  async enter(token: string, response: ServerResponse): Promise<(account: string) => void> {
    const name = hashSecret(token);
    const account = this.accounts.get(name);
    const key = account ?? name;
    if (!this.beginning.tryAcquire(key)) await this.wait(key, response);
    let isLeft = false;
    const leave = () => {
      clearTimeout(timer);
      if (!isLeft) this.beginning.release(key);
      isLeft = true;
    };
    const timer = setTimeout(leave, LONG_MS).unref();
    onExchangeEnd(response, leave);
    return (owner) => owner !== account && this.accounts.set(name, owner);
  }

  private async wait(key: string, response: ServerResponse) {
    const gone = new AbortController();
    onExchangeEnd(response, () => gone.abort());
    const isTurn = await whileWaiting(() => this.beginning.acquire(key, gone.signal));
    if (!isTurn) await new Promise(() => {});
  }
}
