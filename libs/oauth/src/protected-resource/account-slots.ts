import type { ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { hashSecret, RefusalError } from '#libs/accounts';
import { Semaphore, onExchangeEnd, roomAsNeeded, whileWaiting } from '#libs/platform';

const AT_ONCE = 4;
/** More than an account may have under way at any route. Each holds its head, and nothing else counts it. */
const MAX_WAITING = 256;
/** A request that takes longer is waiting for something and does not keep the process busy. */
const LONG_MS = 20;
const MAX_REMEMBERED = 10_000;

/**
 * Limits how many requests of an account, or of a token not seen lately, begin at a time, so that others queue behind
 * only a few of them, here and in the database. One that takes longer than 20 ms frees its slot.
 */
export class AccountSlots {
  private readonly beginning = new Semaphore({ perKey: AT_ONCE });
  private readonly waiting = new Semaphore({ perKey: MAX_WAITING });
  private readonly accounts = new LRUCache<string, string>(roomAsNeeded(MAX_REMEMBERED));

  /**
   * Resolves when a request with this token may begin, to a function that records the token's account for
   * later requests. Never resolves if the exchange ends before that. Throws RefusalError 429 where 256 others wait.
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
    if (!this.waiting.tryAcquire(key)) {
      const message = 'too many requests with this token at once; try again in a second';
      throw new RefusalError(429, message, { 'Retry-After': '1' });
    }
    const gone = new AbortController();
    onExchangeEnd(response, () => gone.abort());
    const isTurn = await whileWaiting(() => this.beginning.acquire(key, gone.signal));
    this.waiting.release(key);
    if (!isTurn) await new Promise(() => {});
  }
}
