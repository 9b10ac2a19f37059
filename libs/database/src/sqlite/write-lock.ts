/** The lock was not released in time. `code` is SQLite's own for "somebody else is writing". */
export class WriteLockTimeoutError extends Error {
  override readonly name = 'WriteLockTimeoutError';
  readonly code = 'SQLITE_BUSY';

  constructor(waitMs: number) {
    super(`SQLITE_BUSY: no write lock within ${waitMs} ms, another transaction is still open`);
  }
}

/** Releases the lock, and whoever waited longest gets it. Calling it again does nothing. */
export type Release = () => void;

/**
 * Held by one writer at a time, strictly first come, first served. Not a library's mutex: those keep
 * in line who gave up waiting.
 */
export class WriteLock {
  private readonly waiting = new Set<() => void>();
  private held = false;

  /** Resolves when the caller holds the lock; rejects with WriteLockTimeoutError after `waitMs`. */
  acquire(waitMs: number): Promise<Release> {
    if (!this.held) {
      this.held = true;
      return Promise.resolve(this.releaseOnce());
    }
    return new Promise((resolve, reject) => {
      const hold = () => {
        clearTimeout(timer);
        resolve(this.releaseOnce());
      };
      const timer = setTimeout(() => {
        this.waiting.delete(hold);
        reject(new WriteLockTimeoutError(waitMs));
      }, waitMs);
      this.waiting.add(hold);
    });
  }

  private releaseOnce(): Release {
    let released = false;
    return () => {
      if (released) return;
      released = true;
      this.handOver();
    };
  }

  private handOver(): void {
    const [hold] = this.waiting;
    if (!hold) {
      this.held = false;
      return;
    }
    this.waiting.delete(hold);
    hold();
  }
}

const lockByFile = new Map<string, WriteLock>();

/**
 * The lock of one database file, shared by all of this process: two writers that waited for each
 * other inside SQLite would each block a thread of libuv's pool, and the COMMIT that ends the wait
 * needs one too.
 */
export function writeLockOf(file: string): WriteLock {
  const known = lockByFile.get(file) ?? new WriteLock();
  lockByFile.set(file, known);
  return known;
}
