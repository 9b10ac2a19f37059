/** Where frames come from, and can be held back. */
interface Inflow {
  pause(): void;
  resume(): void;
}

const MAX_WAITING = 8;

/** Works on one frame after the other, in order; holds the inflow back while too many wait. */
export class FrameQueue<Frame> {
  private readonly waiting: Frame[] = [];
  private isWorking = false;

  /** `work` must not reject. */
  constructor(
    private readonly inflow: Inflow,
    private readonly work: (frame: Frame) => Promise<void>,
  ) {}

  push(frame: Frame) {
    this.waiting.push(frame);
    if (this.waiting.length === MAX_WAITING) this.inflow.pause();
    if (!this.isWorking) void this.drain();
  }

  private async drain() {
    this.isWorking = true;
    for (let frame = this.waiting.shift(); frame !== undefined; frame = this.waiting.shift()) {
      if (this.waiting.length === MAX_WAITING - 1) this.inflow.resume();
      await this.work(frame);
    }
    this.isWorking = false;
  }
}
