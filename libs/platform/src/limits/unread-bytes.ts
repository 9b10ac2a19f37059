interface Bounds {
  readonly perHolder: number;
  readonly inAll: number;
}

/** What waits for one reader: an answer, or the frames of a connection. */
interface Unread {
  /** Gives its memory back at once. */
  cut(): void;
}

/** What waits for the readers of an account or visitor, with its bytes, and the sum. */
interface Holder {
  bytes: number;
  readonly unread: Map<Unread, number>;
}

/**
 * Bounds the memory of this replica for what was sent and is not read, per holder and in all. Beyond a bound, the
 * largest of that holder, or of the holder with the most, is cut.
 */
export class UnreadBytes {
  private readonly holders = new Map<string, Holder>();
  private sum = 0;

  constructor(private readonly bounds: Bounds) {}

  /** In all, now. */
  get bytes(): number {
    return this.sum;
  }

  /** How many bytes wait from now on; 0 when all were read or the reader is gone. */
  set(name: string, unread: Unread, bytes: number): void {
    const holder = this.holders.get(name) ?? { bytes: 0, unread: new Map() };
    this.holders.set(name, holder);
    const more = bytes - (holder.unread.get(unread) ?? 0);
    holder.unread.set(unread, bytes);
    holder.bytes += more;
    this.sum += more;
    if (bytes === 0) holder.unread.delete(unread);
    if (holder.unread.size === 0) this.holders.delete(name);
    while (holder.bytes > this.bounds.perHolder) this.cutLargest([name, holder]);
    while (this.sum > this.bounds.inAll) {
      this.cutLargest(largest(this.holders, ([, { bytes: all }]) => all));
    }
  }

  private cutLargest([name, { unread }]: readonly [string, Holder]) {
    const [one] = largest(unread, ([, bytes]) => bytes);
    this.set(name, one, 0);
    one.cut();
  }
}

/** @throws TypeError for none */
const largest = <T>(among: Iterable<T>, bytesOf: (one: T) => number): T =>
  [...among].reduce((most, one) => (bytesOf(one) > bytesOf(most) ? one : most));
