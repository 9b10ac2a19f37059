import { type Flow, type TokenBucket, TokenBuckets } from '#libs/platform';

const MEBIBYTE = 1024 * 1024;

/** Deliveries of a frame beyond the first, which the rate of the sending tab limits. */
const FURTHER_DELIVERIES: Flow = { atOnce: 2000, perSecond: 1000 };
/** Four times what the tabs of an account may send. */
const BYTES: Flow = { atOnce: 8 * MEBIBYTE, perSecond: 8 * MEBIBYTE };
/** Frames from and to tabs: one takes about 25 µs, so these take 20 ms of processor time. */
const FRAMES: Flow = { atOnce: 800, perSecond: 800 };
/** So much of a frame takes about as long again to be parsed or made, where it has many small values. */
const BYTES_OF_A_FRAME = 512;

/** Limits what one replica sends to the tabs of an account: one frame to many tabs costs as much as many frames. */
export class AccountOutflow {
  constructor(
    private readonly further: TokenBucket,
    private readonly bytes: TokenBucket,
    private readonly frames: TokenBucket,
  ) {}

  /** Counts a frame to that many tabs, if it is within the limits; returns whether it is. */
  take(tabs: number, frameBytes: number): boolean {
    if (!this.further.take(Math.max(tabs - 1, 0)) || !this.bytes.take(tabs * frameBytes))
      return false;
    this.frames.owe(tabs + furtherFrames(frameBytes));
    return true;
  }

  /** Counts a frame that is sent whatever the limits. Returns the milliseconds until the account is within them. */
  owe(tabs: number, frameBytes: number): number {
    this.frames.owe(tabs + furtherFrames(frameBytes));
    return Math.max(this.further.owe(tabs), this.bytes.owe(tabs * frameBytes));
  }

  /**
   * Counts the work for one frame, from a tab or in answer to one. Returns whether the account has used its 20 ms of this
   * second.
   */
  countWork(frameBytes: number): boolean {
    return this.frames.owe(1 + furtherFrames(frameBytes)) > 0;
  }
}

const furtherFrames = (bytes: number) => Math.floor(bytes / BYTES_OF_A_FRAME);

export class AccountOutflows {
  private readonly further = new TokenBuckets(FURTHER_DELIVERIES);
  private readonly bytes = new TokenBuckets(BYTES);
  private readonly frames = new TokenBuckets(FRAMES);

  of(userId: string): AccountOutflow {
    const { further, bytes, frames } = this;
    return new AccountOutflow(further.of(userId), bytes.of(userId), frames.of(userId));
  }
}
