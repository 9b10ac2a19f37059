interface Waiting {
  readonly userId: string;
  readonly admit: () => void;
}

/**
 * So many permits for the users of this process; further callers wait, first come, first served, if they
 * are not too many, and not for ever. The last free permit is for a user who has none, so no user shuts
 * out the others alone.
 *
 * By hand, as async-mutex and p-queue let waiters in by time and priority alone, whoever has the permits.
 */
export class FairSemaphore {
  private readonly queue: Waiting[] = [];
  /** The user of every permit that is out. */
  private readonly holders: string[] = [];

  constructor(
    private readonly permits: number,
    private readonly maxWaiting: number,
  ) {}

  /** Whether the user got a permit, which is then to be released; who waits leaves when `signal` fires. */
  async acquire(userId: string, waitMs: number, signal?: AbortSignal): Promise<boolean> {
    if (signal?.aborted) return false;
    if (this.isFreeFor(userId)) {
      this.holders.push(userId);
      return true;
    }
    if (this.queue.length >= this.maxWaiting) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const waiting = { userId, admit: () => resolve(true) };
    this.queue.push(waiting);
    const giveUp = () => this.giveUp(waiting, resolve);
    const timer = setTimeout(giveUp, waitMs);
    signal?.addEventListener('abort', giveUp);
    return promise.finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
    });
  }

  release(userId: string) {
    this.holders.splice(this.holders.indexOf(userId), 1);
    for (let next = this.next(); next; next = this.next()) {
      this.queue.splice(this.queue.indexOf(next), 1);
      this.holders.push(next.userId);
      next.admit();
    }
  }

  private next() {
    return this.queue.find(({ userId }) => this.isFreeFor(userId));
  }

  private isFreeFor(userId: string) {
    const free = this.permits - this.holders.length;
    return free > 1 || (free === 1 && !this.holders.includes(userId));
  }

  private giveUp(waiting: Waiting, resolve: (isAcquired: boolean) => void) {
    const place = this.queue.indexOf(waiting);
    if (place === -1) return;
    this.queue.splice(place, 1);
    resolve(false);
  }
}
