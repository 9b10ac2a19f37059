const PER_SECOND = 50;
const BURST = 100;
const WARNING_GAP_MS = 1000;
const MAX_DROPPED = 500;

const monotonicMs = () => performance.now();

/** What to do with a message: `warn` and `drop` do not act on it, `close` ends the connection. */
type RateAction = 'pass' | 'warn' | 'drop' | 'close';

/**
 * A bucket of 100 messages that 50 a second flow into. Whoever sends more is told so at most once a
 * second, and is given up after 500 dropped messages without a pause long enough to fill the bucket.
 */
export class MessageRate {
  private tokens = BURST;
  private dropped = 0;
  private warnedAt = -Infinity;
  private countedAt: number;

  constructor(private readonly now = monotonicMs) {
    this.countedAt = now();
  }

  /** `fits` is asked about a message that is in time: one that does not fit is dropped all the same. */
  take(fits = () => true): RateAction {
    const now = this.now();
    this.tokens = Math.min(BURST, this.tokens + ((now - this.countedAt) / 1000) * PER_SECOND);
    this.countedAt = now;
    if (this.tokens === BURST) this.dropped = 0;
    if (this.tokens >= 1) {
      this.tokens -= 1;
      if (fits()) return 'pass';
    }
    this.dropped += 1;
    if (this.dropped > MAX_DROPPED) return 'close';
    if (now - this.warnedAt < WARNING_GAP_MS) return 'drop';
    this.warnedAt = now;
    return 'warn';
  }
}
