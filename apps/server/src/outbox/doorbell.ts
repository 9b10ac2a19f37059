/** Somebody waits here, for a while at most; a ring that nobody waited for ends the next wait at once. */
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
