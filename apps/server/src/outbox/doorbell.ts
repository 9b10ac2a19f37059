/** Wakes a waiting loop, which waits for a limited time; a ring while nothing waits ends the next wait at once. */
export class Doorbell {
  private hasRung = false;
  private open: (() => void) | undefined;

  ring() {
    this.hasRung = true;
    this.open?.();
  }

  async wait(mostMs: number): Promise<void> {
    if (!this.hasRung) await this.rung(mostMs);
    this.hasRung = false;
  }

  private async rung(mostMs: number) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, mostMs).unref();
    this.open = resolve;
    await promise;
    clearTimeout(timer);
    this.open = undefined;
  }
}
