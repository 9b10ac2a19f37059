import { type Flow, type TokenBucket, TokenBuckets } from '#libs/platform';

const MEBIBYTE = 1024 * 1024;

/** Deliveries to further tabs; the first one of a frame is paid for by the frame that a tab sent. */
const FURTHER: Flow = { atOnce: 2000, perSecond: 1000 };
/** Four times what an account may send. */
const BYTES: Flow = { atOnce: 8 * MEBIBYTE, perSecond: 8 * MEBIBYTE };
/** Frames from and to tabs, which take some 25 µs each: 20 ms of a processor. */
const UNHURRIED: Flow = { atOnce: 800, perSecond: 800 };

/** What one replica sends to the tabs of an account: one frame to many tabs costs as much as many frames. */
export class AccountOutflow {
  constructor(
    private readonly further: TokenBucket,
    private readonly bytes: TokenBucket,
    private readonly unhurried: TokenBucket,
  ) {}

  /** Whether a frame may go to that many tabs; counts it if so. */
  take(tabs: number, frameBytes: number): boolean {
    if (!this.further.take(Math.max(tabs - 1, 0)) || !this.bytes.take(tabs * frameBytes))
      return false;
    this.unhurried.owe(tabs);
    return true;
  }

  /** Counts what goes to that many tabs in any case; returns the milliseconds until the account may send again. */
  owe(tabs: number, frameBytes: number): number {
    this.unhurried.owe(tabs);
    return Math.max(this.further.owe(tabs), this.bytes.owe(tabs * frameBytes));
  }

  /** Counts a frame of a tab; returns whether the account has used its 20 ms of this second. */
  hurries(): boolean {
    return this.unhurried.owe(1) > 0;
  }
}

export class AccountOutflows {
  private readonly further = new TokenBuckets(FURTHER);
  private readonly bytes = new TokenBuckets(BYTES);
  private readonly unhurried = new TokenBuckets(UNHURRIED);

  of(userId: string): AccountOutflow {
    const { further, bytes, unhurried } = this;
    return new AccountOutflow(further.of(userId), bytes.of(userId), unhurried.of(userId));
  }
}
