/**
 * Bytes that come in pieces, in one piece of memory: thousands of small pieces would take far more
 * memory than they are long.
 */
export class CollectedBytes {
  private memory = Buffer.alloc(0);
  private length = 0;

  /** `mayTake` is asked before more memory is taken, with how many bytes it will be then. */
  constructor(
    private readonly limit: number,
    private readonly mayTake: (bytes: number) => boolean,
  ) {}

  get size() {
    return this.length;
  }

  get bytes() {
    return this.memory.subarray(0, this.length);
  }

  /** Returns whether there was memory for it. The caller sees to the limit. */
  add(piece: Buffer): boolean {
    const length = this.length + piece.length;
    if (length > this.memory.length && !this.grow(length)) return false;
    piece.copy(this.memory, this.length);
    this.length = length;
    return true;
  }

  private grow(length: number) {
    const capacity = Math.max(length, Math.min(2 * this.memory.length, this.limit));
    if (!this.mayTake(capacity)) return false;
    const larger = Buffer.allocUnsafeSlow(capacity);
    this.memory.copy(larger, 0, 0, this.length);
    this.memory = larger;
    return true;
  }
}
