import { setImmediate as turn } from 'node:timers/promises';

interface Batch<T> {
  readonly keys: Set<string>;
  readonly found: Promise<ReadonlyMap<string, T>>;
}

/** Bounds the rows that a caller waits for because of others. */
const MOST = 100;

/**
 * Combines all reads that begin in the same turn of the event loop, each of one key, into one. So the cost per read
 * falls as load rises. A read sees everything that was written before it began, because it never joins one in
 * progress. An error rejects all reads of the batch.
 */
export class ReadBatch<T> {
  private next: Batch<T> | undefined;
  private readonly readAll: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>;

  /** `readAll` returns the values that exist, by key; it gets each key once, 100 at most. */
  constructor(readAll: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>) {
    this.readAll = readAll;
  }

  async find(key: string): Promise<T | undefined> {
    const batch = this.next ?? this.begin();
    batch.keys.add(key);
    if (batch.keys.size === MOST) this.next = undefined;
    return (await batch.found).get(key);
  }

  private begin(): Batch<T> {
    const keys = new Set<string>();
    const read = async () => {
      await turn();
      if (this.next === batch) this.next = undefined;
      return this.readAll([...keys]);
    };
    const batch: Batch<T> = { keys, found: read() };
    this.next = batch;
    return batch;
  }
}
