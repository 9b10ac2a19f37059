interface Bounds {
  readonly perAccount: number;
  readonly inAll: number;
}

const MEBIBYTE = 1024 * 1024;
const BOUNDS: Bounds = { perAccount: 4 * MEBIBYTE, inAll: 64 * MEBIBYTE };

/** A connection that leaves frames unread. */
interface Reader {
  readonly userId: string;
  /** Ends it and gives its memory back at once. */
  cut(): void;
}

/** The connections of an account that have something unread, with their bytes, and the sum. */
interface Unread {
  bytes: number;
  readonly readers: Map<Reader, number>;
}

/**
 * Bounds the memory of this replica for frames that tabs do not read, per account and in all. Beyond a bound, the
 * connection with the most of that account, or of the account with the most, is cut.
 */
export class UnreadBytes {
  private readonly accounts = new Map<string, Unread>();
  private sum = 0;

  constructor(private readonly bounds = BOUNDS) {}

  /** In all, now. */
  get bytes(): number {
    return this.sum;
  }

  /** What the connection holds from now on; 0 when it has read everything or is gone. */
  set(reader: Reader, bytes: number): void {
    const account = this.accounts.get(reader.userId) ?? { bytes: 0, readers: new Map() };
    this.accounts.set(reader.userId, account);
    const more = bytes - (account.readers.get(reader) ?? 0);
    account.readers.set(reader, bytes);
    account.bytes += more;
    this.sum += more;
    if (bytes === 0) this.forget(reader, account);
    while (account.bytes > this.bounds.perAccount) this.cutLargest(account);
    while (this.sum > this.bounds.inAll) this.cutLargest(this.largestAccount() ?? account);
  }

  private forget(reader: Reader, { readers }: Unread) {
    readers.delete(reader);
    if (readers.size === 0) this.accounts.delete(reader.userId);
  }

  private largestAccount(): Unread | undefined {
    return largest(this.accounts.values(), ({ bytes }) => bytes);
  }

  private cutLargest({ readers }: Unread) {
    const most = largest(readers, ([, bytes]) => bytes);
    if (!most) return;
    const [reader] = most;
    this.set(reader, 0);
    reader.cut();
  }
}

function largest<T>(among: Iterable<T>, bytesOf: (one: T) => number): T | undefined {
  let found: T | undefined;
  for (const one of among) if (!found || bytesOf(one) > bytesOf(found)) found = one;
  return found;
}
