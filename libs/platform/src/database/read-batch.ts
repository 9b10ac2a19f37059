import { setImmediate as turn } from 'node:timers/promises';

interface Batch<T> {
  readonly keys: Set<string>;
  readonly found: Promise<ReadonlyMap<string, T>>;
}

/** So that nobody waits for the rows of too many others. */
const MOST = 100;

/**
 * Makes one read of all that begin in the same turn of the event loop, each by a key. So the more a process
 * has to do, the less each of them costs. A read sees all that was written before it began: none joins one
 * that is under way. It fails for all who share it.
 */
export class ReadBatch<T> {
  private next: Batch<T> | undefined;
  private readonly readAll: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>;

  /** `readAll` tells what there is under which of the keys, each of which it gets once, 100 at most. */
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
