import type { IncomingMessage } from 'node:http';

interface Bounds {
  readonly perHolder: number;
  /** Not below `perHolder`. */
  readonly inAll: number;
}

const MEBIBYTE = 1024 * 1024;
const BOUNDS: Bounds = { perHolder: 16 * MEBIBYTE, inAll: 64 * MEBIBYTE };

/** What holds memory: the body of a request, an answer, or the frames of a connection. */
interface Held {
  /** Of a body that waits: it was sent in full, and ends soon without its sender. */
  readonly isWhole?: boolean;
  /** Gives its memory back at once. `sum` is what it was too much for. */
  cut(sum: HeldBytes): void;
}

/** Beside its text, in `rawHeaders` and in `headers`. */
const FIELD_BYTES = 200;
/** More than most heads of browsers and proxies take. */
const ORDINARY_HEAD_BYTES = 16 * 1024;

/** About what the head of a request takes in memory beyond an ordinary one: mostly 0. */
export function largeHeadBytes({ rawHeaders }: IncomingMessage): number {
  let bytes = (rawHeaders.length / 2) * FIELD_BYTES - ORDINARY_HEAD_BYTES;
  for (const { length } of rawHeaders) bytes += 2 * length;
  return Math.max(bytes, 0);
}

/** What an account or visitor holds, the oldest first, with its bytes, and the sum. */
interface Holder {
  readonly name: string;
  bytes: number;
  readonly held: Map<Held, number>;
}

/**
 * Bounds the memory of this replica for what comes in and is not whole, or goes out and is not read: per holder and
 * in all, by the bytes that are there and not by those that were announced.
 */
export class HeldBytes {
  private readonly holders = new Map<string, Holder>();
  /** The holder with the most; undefined when it has less than before, until it is asked for. */
  private most: Holder | undefined;
  private sum = 0;

  constructor(private readonly bounds = BOUNDS) {}

  /** In all, now. */
  get bytes(): number {
    return this.sum;
  }

  /**
   * For what comes in: whether that many bytes may be held from now on; if not, their number stays as it was. When all
   * is taken, the holder with the most gives way to those with less: its oldest that is not whole, so that a few slow
   * senders cannot keep the others out, or else its latest, which would wait the longest.
   */
  grow(name: string, held: Held, bytes: number): boolean {
    const holder = this.holders.get(name);
    const more = bytes - (holder?.held.get(held) ?? 0);
    const wanted = (holder?.bytes ?? 0) + more;
    if (wanted > this.bounds.perHolder) return false;
    while (this.sum + more > this.bounds.inAll) {
      const most = this.findMost();
      const next = firstToGo(most);
      if (!next || most.bytes <= wanted) return false;
      this.cut(most, next);
    }
    this.change(name, held, bytes);
    return true;
  }

  /**
   * For what goes out, and for the end of what came in: how many bytes are held from now on, 0 for none. Beyond a bound,
   * the largest of that holder, or of the holder with the most, is cut.
   */
  set(name: string, held: Held, bytes: number): void {
    const holder = this.change(name, held, bytes);
    while (holder.bytes > this.bounds.perHolder) this.cutLargest(holder);
    while (this.sum > this.bounds.inAll) this.cutLargest(this.findMost());
  }

  private change(name: string, held: Held, bytes: number): Holder {
    const holder = this.holders.get(name) ?? { name, bytes: 0, held: new Map<Held, number>() };
    const more = bytes - (holder.held.get(held) ?? 0);
    holder.bytes += more;
    this.sum += more;
    if (bytes > 0) holder.held.set(held, bytes);
    else holder.held.delete(held);
    if (holder.held.size > 0) this.holders.set(name, holder);
    else this.holders.delete(name);
    if (holder === this.most && more < 0) this.most = undefined;
    if (this.most && holder.bytes > this.most.bytes) this.most = holder;
    return holder;
  }

  private findMost(): Holder {
    return (this.most ??= largest(this.holders.values(), ({ bytes }) => bytes));
  }

  private cutLargest(holder: Holder) {
    const [held] = largest(holder.held, ([, bytes]) => bytes);
    this.cut(holder, held);
  }

  private cut({ name }: Holder, held: Held) {
    this.change(name, held, 0);
    held.cut(this);
  }
}

function firstToGo({ held }: Holder): Held | undefined {
  let latest: Held | undefined;
  for (const one of held.keys()) {
    if (!one.isWhole) return one;
    latest = one;
  }
  return latest;
}

/** @throws TypeError for none */
const largest = <T>(among: Iterable<T>, bytesOf: (one: T) => number): T =>
  [...among].reduce((most, one) => (bytesOf(one) > bytesOf(most) ? one : most));
