import { type Flow, TokenBucket } from '#libs/platform';

const FLOW: Flow = { atOnce: 100, perSecond: 50 };
const WARNING_GAP_MS = 1000;
const MAX_DROPPED = 500;

const monotonicMs = () => performance.now();

/** What to do with a message: `warn` and `drop` do not act on it, `close` ends the connection. */
type RateAction = 'pass' | 'warn' | 'drop' | 'close';

/**
 * A bucket of 100 messages that 50 a second flow into. A tab that sends more is told so at most once a
 * second, and is closed after 500 dropped messages without a pause long enough to fill the bucket.
 */
export class MessageRate {
  private dropped = 0;
  private warnedAt = -Infinity;
  private readonly bucket: TokenBucket;

  constructor(private readonly now = monotonicMs) {
    this.bucket = new TokenBucket(FLOW, now);
  }

  /** `fits` is asked about a message that is in time: one that does not fit is dropped all the same. */
  take(fits = () => true): RateAction {
    if (this.dropped > 0 && this.bucket.isFull) this.dropped = 0;
    if (this.bucket.take(1) && fits()) return 'pass';
    this.dropped += 1;
    if (this.dropped > MAX_DROPPED) return 'close';
    const now = this.now();
    if (now - this.warnedAt < WARNING_GAP_MS) return 'drop';
    this.warnedAt = now;
    return 'warn';
  }
}
