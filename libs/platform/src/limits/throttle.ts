const RETRY_MS = 1000;

/**
 * Runs its work when triggered: at once, then at the earliest `gapMs` later, and always once more after the last `trigger`.
 * Work that fails is retried after a second.
 */
export class Throttle {
  private timer: NodeJS.Timeout | undefined;
  private isWorking = false;
  private isDue = false;
  private isStopped = false;

  constructor(
    private readonly gapMs: number,
    private readonly work: () => Promise<void> | void,
  ) {}

  trigger(): void {
    if (this.isStopped) return;
    this.isDue = true;
    if (!this.isWorking && this.timer === undefined) void this.run();
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  private async run() {
    this.isDue = false;
    this.isWorking = true;
    const isDone = await this.attempt();
    this.isWorking = false;
    if (this.isStopped) return;
    if (!isDone) this.isDue = true;
    this.timer = setTimeout(() => this.onTimer(), isDone ? this.gapMs : RETRY_MS).unref();
  }

  private async attempt() {
    try {
      await this.work();
      return true;
    } catch {
      return false;
    }
  }

  private onTimer() {
    this.timer = undefined;
    if (this.isDue) void this.run();
  }
}
