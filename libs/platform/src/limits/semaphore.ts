interface SemaphoreBounds {
  /** Permits of one key. */
  readonly perKey?: number;
  /** Permits of all keys together. */
  readonly inAll?: number;
  /** The last free permit is for a key that has none, so that no key shuts out the others alone. */
  readonly keepsOne?: boolean;
  readonly maxWaiting?: number;
  readonly maxWaitingPerKey?: number;
  /** What a key used lately, in any unit. */
  readonly usedBy?: (key: string) => number;
}

interface Next {
  readonly key: string;
  readonly line: Line;
  readonly used: number;
  readonly waiter: Waiter;
}

interface Waiter {
  readonly admit: () => void;
  readonly isReady: () => boolean;
}

/** The permits that one key holds, and its waiters in order of arrival. */
interface Line {
  held: number;
  readonly waiting: Set<Waiter>;
}

const ALWAYS = () => true;
const NOTHING = () => 0;

/**
 * Permits by key, such as an account. The next free one goes to the key that holds the fewest, among equals to the one
 * that used least lately, and then to the one whose last turn is the longest ago, or that began to wait first. A key
 * that neither holds nor waits takes no memory.
 *
 * Not async-mutex or p-queue, which admit waiters by time and priority alone, whatever their key holds.
 */
export class Semaphore {
  /** The key whose last turn is the longest ago comes first. */
  private readonly lines = new Map<string, Line>();
  private readonly bounds: Required<SemaphoreBounds>;
  private held = 0;
  private waiting = 0;

  constructor({
    perKey = Infinity,
    inAll = Infinity,
    keepsOne = false,
    maxWaiting = Infinity,
    maxWaitingPerKey = Infinity,
    usedBy = NOTHING,
  }: SemaphoreBounds) {
    this.bounds = { perKey, inAll, keepsOne, maxWaiting, maxWaitingPerKey, usedBy };
  }

  /** Whether the key got that many permits; release each once. */
  tryAcquire(key: string, count = 1): boolean {
    const line = this.lineOf(key);
    if (!this.isFree(line, count)) return false;
    this.give(key, line, count);
    return true;
  }

  /**
   * Resolves to whether the key got a permit: false when too many wait, or when `signal` aborts before its turn. While
   * `isReady`, which is called at each release, returns false, others go first.
   */
  async acquire(key: string, signal?: AbortSignal, isReady = ALWAYS): Promise<boolean> {
    if (signal?.aborted) return false;
    if (isReady() && this.tryAcquire(key)) return true;
    const line = this.lineOf(key);
    const { maxWaiting, maxWaitingPerKey } = this.bounds;
    if (this.waiting >= maxWaiting || line.waiting.size >= maxWaitingPerKey) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const settle = (isAcquired: boolean) => {
      line.waiting.delete(waiter);
      this.waiting -= 1;
      signal?.removeEventListener('abort', giveUp);
      resolve(isAcquired);
    };
    const waiter = { admit: () => settle(true), isReady };
    const giveUp = () => {
      settle(false);
      this.forgetIdle(key, line);
    };
    line.waiting.add(waiter);
    this.lines.set(key, line);
    this.waiting += 1;
    signal?.addEventListener('abort', giveUp);
    return promise;
  }

  release(key: string, count = 1): void {
    const line = this.lineOf(key);
    line.held -= count;
    this.held -= count;
    // Without a bound over all keys, other keys gain no room.
    const lines = this.bounds.inAll === Infinity ? [[key, line] as const] : this.lines;
    while (this.waiting > 0 && this.held < this.bounds.inAll) {
      const next = this.next(lines);
      if (!next) break;
      this.give(next.key, next.line, 1);
      next.waiter.admit();
    }
    this.forgetIdle(key, line);
  }

  private lineOf(key: string): Line {
    return this.lines.get(key) ?? { held: 0, waiting: new Set() };
  }

  private isFree({ held }: Line, count: number): boolean {
    const { perKey, inAll, keepsOne } = this.bounds;
    const left = inAll - this.held - count;
    if (left < 0 || held + count > perKey) return false;
    return left > 0 || held === 0 || !keepsOne;
  }

  private next(lines: Iterable<readonly [string, Line]>) {
    let next: Next | undefined;
    for (const [key, line] of lines) {
      if (line.held > (next?.line.held ?? Infinity) || !this.isFree(line, 1)) continue;
      const waiter = firstReady(line.waiting);
      if (!waiter) continue;
      const used = this.bounds.usedBy(key);
      if (next?.line.held === line.held && next.used <= used) continue;
      next = { key, line, used, waiter };
    }
    return next;
  }

  private give(key: string, line: Line, count: number) {
    line.held += count;
    this.held += count;
    this.lines.delete(key);
    this.lines.set(key, line);
  }

  private forgetIdle(key: string, { held, waiting }: Line) {
    if (held === 0 && waiting.size === 0) this.lines.delete(key);
  }
}

function firstReady(waiting: Iterable<Waiter>): Waiter | undefined {
  for (const waiter of waiting) if (waiter.isReady()) return waiter;
  return undefined;
}

/** Aborts after `ms`, or earlier with `signal`. */
export function timeLimit(ms: number, signal?: AbortSignal): AbortSignal {
  const limit = AbortSignal.timeout(ms);
  return signal ? AbortSignal.any([signal, limit]) : limit;
}
