/** The lock was not released in time. `code` is the one that SQLite uses when another writer is active. */
export class WriteLockTimeoutError extends Error {
  override readonly name = 'WriteLockTimeoutError';
  readonly code = 'SQLITE_BUSY';

  constructor(waitMs: number) {
    super(`SQLITE_BUSY: no write lock within ${waitMs} ms, another transaction is still open`);
  }
}

/** Releases the lock to the writer that has waited longest. Calling it again does nothing. */
export type Release = () => void;

/**
 * Held by one writer at a time, strictly first come, first served. Not a library's mutex: in those a waiter that
 * has given up stays in the queue.
 */
export class WriteLock {
  private readonly waiting = new Set<() => void>();
  private held = false;

  /** Resolves when the caller holds the lock; rejects with WriteLockTimeoutError after `waitMs`. */
  async acquire(waitMs: number): Promise<Release> {
    if (this.held) await this.turn(waitMs);
    this.held = true;
    let released = false;
    return () => {
      if (!released) this.handOver();
      released = true;
    };
  }

  private turn(waitMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.waiting.delete(begin);
        reject(new WriteLockTimeoutError(waitMs));
      }, waitMs);
      this.waiting.add(begin);
    });
  }

  private handOver(): void {
    const [next] = this.waiting;
    if (next) this.waiting.delete(next);
    else this.held = false;
    next?.();
  }
}

const lockByFile = new Map<string, WriteLock>();

/**
 * The lock of one database file, shared in this process: two writers that wait for each other inside SQLite would
 * each block a thread of libuv's pool, while the COMMIT that ends the wait needs one too.
 */
export function writeLockOf(file: string): WriteLock {
  const known = lockByFile.get(file) ?? new WriteLock();
  lockByFile.set(file, known);
  return known;
}
