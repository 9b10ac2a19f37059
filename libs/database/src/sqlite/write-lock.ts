/** Nobody ended their turn in time. `code` is SQLite's own for "somebody else is writing". */
export class TurnTimeoutError extends Error {
  override readonly name = 'TurnTimeoutError';
  readonly code = 'SQLITE_BUSY';

  constructor(waitMs: number) {
    super(`SQLITE_BUSY: no turn to write within ${waitMs} ms, another transaction is still open`);
  }
}

/** Ends a turn and lets the next in line begin. Calling it again does nothing. */
export type EndTurn = () => void;

/** One holder at a time, strictly first come, first served. */
export class Turns {
  private readonly waiting = new Set<() => void>();
  private taken = false;

  /** Resolves when it is the caller's turn; rejects with TurnTimeoutError after `waitMs`. */
  take(waitMs: number): Promise<EndTurn> {
    if (!this.taken) {
      this.taken = true;
      return Promise.resolve(this.turn());
    }
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer);
        resolve(this.turn());
      };
      const timer = setTimeout(() => {
        this.waiting.delete(begin);
        reject(new TurnTimeoutError(waitMs));
      }, waitMs);
      this.waiting.add(begin);
    });
  }

  private turn(): EndTurn {
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      this.next();
    };
  }

  private next(): void {
    const [begin] = this.waiting;
    if (!begin) {
      this.taken = false;
      return;
    }
    this.waiting.delete(begin);
    begin();
  }
}

const turnsByFile = new Map<string, Turns>();

/**
 * The turns of one database file, shared by all of this process: two writers that waited for each
 * other inside SQLite would each block a thread of libuv's pool, and the COMMIT that ends the wait
 * needs one too.
 */
export function turnsOf(file: string): Turns {
  const known = turnsByFile.get(file) ?? new Turns();
  turnsByFile.set(file, known);
  return known;
}
