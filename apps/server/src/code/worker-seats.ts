/** So many at once; the others wait in line, if the line is not too long, and not for ever. */
export class WorkerSeats {
  private readonly line: (() => void)[] = [];
  private taken = 0;

  constructor(
    private readonly seats: number,
    private readonly lineLength: number,
  ) {}

  /** Whether the caller got a seat, which it then has to leave. */
  async take(waitMs: number): Promise<boolean> {
    if (this.taken < this.seats) {
      this.taken += 1;
      return true;
    }
    if (this.line.length >= this.lineLength) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const seated = () => resolve(true);
    this.line.push(seated);
    const giveUp = setTimeout(() => this.stepOut(seated, resolve), waitMs);
    return promise.finally(() => clearTimeout(giveUp));
  }

  leave() {
    const next = this.line.shift();
    if (next) next();
    else this.taken -= 1;
  }

  private stepOut(seated: () => void, resolve: (isSeated: boolean) => void) {
    const place = this.line.indexOf(seated);
    if (place === -1) return;
    this.line.splice(place, 1);
    resolve(false);
  }
}
