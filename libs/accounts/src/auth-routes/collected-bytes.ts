/**
 * Collects the chunks of a body in one buffer: thousands of small chunks would take far more memory than their
 * length.
 */
export class CollectedBytes {
  private memory = Buffer.alloc(0);
  private length = 0;

  /** `mayTake` is called before the buffer grows, with its new size in bytes. */
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

  /** Returns false when `mayTake` refused the memory. The caller checks the limit. */
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
