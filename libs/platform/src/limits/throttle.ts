const RETRY_MS = 1000;

/**
 * Runs its work when triggered: at once, then at the earliest `gapMs` after its end, and always once more after the
 * last `trigger`. Work that fails is retried after a second.
 */
export class Throttle {
  private timer: NodeJS.Timeout | undefined;
  /** From the beginning of the work until the pause after it is over. */
  private isBusy = false;
  private isDue = false;
  private isStopped = false;
  private running: Promise<void> | undefined;

  constructor(
    private readonly gapMs: number,
    private readonly work: () => Promise<void> | void,
  ) {}

  /** Resolves at the end of work that this begins at once, else at once. Never rejects. */
  async trigger(): Promise<void> {
    if (this.isStopped) return;
    this.isDue = true;
    if (!this.isBusy) await this.run();
  }

  /** Begins what is due without the pause; resolves at the end of that, or of what is running. Never rejects. */
  async flush(): Promise<void> {
    while (this.running) await this.running;
    if (this.isDue && !this.isStopped) await this.run();
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  private async run() {
    clearTimeout(this.timer);
    this.isBusy = true;
    this.isDue = false;
    this.running = this.attempt();
    await this.running;
    this.running = undefined;
  }

  private async attempt() {
    let pauseMs = this.gapMs;
    try {
      await this.work();
    } catch {
      this.isDue = true;
      pauseMs = RETRY_MS;
    }
    if (!this.isStopped) this.timer = setTimeout(() => this.goOn(), pauseMs).unref();
  }

  private goOn() {
    this.timer = undefined;
    this.isBusy = false;
    if (this.isDue) void this.run();
  }
}
