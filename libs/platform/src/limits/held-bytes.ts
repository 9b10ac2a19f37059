interface Bounds {
  readonly perHolder: number;
  readonly inAll: number;
}

const MEBIBYTE = 1024 * 1024;
const BOUNDS: Bounds = { perHolder: 16 * MEBIBYTE, inAll: 64 * MEBIBYTE };

/** The memory of one unfinished request. Close it however the request ends. */
export interface Hold {
  /** Whether it may take that many bytes from now on; if not, its size stays as it was. */
  resize(bytes: number): boolean;
  /** Gives all of it back. May be called repeatedly. */
  close(): void;
}

interface OpenHold {
  bytes: number;
  readonly giveUp: () => void;
}

/** The holds of one holder, the oldest first, and their sum. */
interface Holder {
  readonly name: string;
  bytes: number;
  readonly holds: Set<OpenHold>;
}

/**
 * Bounds the memory for request bodies, per holder and in all, by the bytes that arrived and not by those that were
 * announced. When all of it is taken, the holder with the most gives way to those with less: a few slow senders
 * cannot keep the others out.
 */
export class HeldBytes {
  private readonly holders = new Map<string, Holder>();
  /** The holder with the most; undefined when it has less than before, until it is asked for. */
  private largest: Holder | undefined;
  private sum = 0;

  constructor(private readonly bounds = BOUNDS) {}

  /** Bytes held now. */
  get bytes(): number {
    return this.sum;
  }

  /** `giveUp` is called, at most once, when the hold was closed in favour of another holder. */
  open(name: string, giveUp: () => void): Hold {
    const hold: OpenHold = { bytes: 0, giveUp };
    return {
      resize: (bytes) => this.resize(name, hold, bytes),
      close: () => this.close(name, hold),
    };
  }

  private resize(name: string, hold: OpenHold, bytes: number): boolean {
    const more = bytes - hold.bytes;
    const holder = this.holders.get(name) ?? { name, bytes: 0, holds: new Set() };
    const wanted = holder.bytes + more;
    if (wanted > this.bounds.perHolder) return false;
    while (this.sum + more > this.bounds.inAll) if (!this.makeRoomFor(wanted)) return false;
    this.holders.set(name, holder);
    holder.holds.add(hold);
    this.add(holder, hold, more);
    return true;
  }

  /** Closes the oldest hold of the holder with the most, if that is more than `wanted`. */
  private makeRoomFor(wanted: number): boolean {
    const largest = (this.largest ??= this.findLargest());
    const [oldest] = largest?.holds ?? [];
    if (!largest || !oldest || largest.bytes <= wanted) return false;
    this.close(largest.name, oldest);
    oldest.giveUp();
    return true;
  }

  private findLargest(): Holder | undefined {
    let largest: Holder | undefined;
    for (const holder of this.holders.values()) {
      if (!largest || holder.bytes > largest.bytes) largest = holder;
    }
    return largest;
  }

  private close(name: string, hold: OpenHold) {
    const holder = this.holders.get(name);
    if (!holder?.holds.delete(hold)) return;
    this.add(holder, hold, -hold.bytes);
    if (holder.holds.size === 0) this.holders.delete(name);
  }

  private add(holder: Holder, hold: OpenHold, bytes: number) {
    this.sum += bytes;
    holder.bytes += bytes;
    hold.bytes += bytes;
    if (holder === this.largest && bytes < 0) this.largest = undefined;
    if (this.largest && holder.bytes > this.largest.bytes) this.largest = holder;
  }
}
