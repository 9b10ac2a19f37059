interface Waiting {
  readonly account: string;
  readonly seated: () => void;
}

/**
 * So many at once; the others wait in line, if the line is not too long, and not for ever. The last
 * free seat is for an account that has none, so no account shuts out the others by itself.
 */
export class WorkerSeats {
  private readonly line: Waiting[] = [];
  /** The account of every seat that is taken. */
  private readonly holders: string[] = [];

  constructor(
    private readonly seats: number,
    private readonly lineLength: number,
  ) {}

  /** Whether the caller got a seat, which it then has to leave. */
  async take(account: string, waitMs: number): Promise<boolean> {
    if (this.isFreeFor(account)) {
      this.holders.push(account);
      return true;
    }
    if (this.line.length >= this.lineLength) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const waiting = { account, seated: () => resolve(true) };
    this.line.push(waiting);
    const giveUp = setTimeout(() => this.stepOut(waiting, resolve), waitMs);
    return promise.finally(() => clearTimeout(giveUp));
  }

  leave(account: string) {
    this.holders.splice(this.holders.indexOf(account), 1);
    for (let next = this.next(); next; next = this.next()) {
      this.line.splice(this.line.indexOf(next), 1);
      this.holders.push(next.account);
      next.seated();
    }
  }

  private next() {
    return this.line.find(({ account }) => this.isFreeFor(account));
  }

  private isFreeFor(account: string) {
    const free = this.seats - this.holders.length;
    return free > 1 || (free === 1 && !this.holders.includes(account));
  }

  private stepOut(waiting: Waiting, resolve: (isSeated: boolean) => void) {
    const place = this.line.indexOf(waiting);
    if (place === -1) return;
    this.line.splice(place, 1);
    resolve(false);
  }
}
