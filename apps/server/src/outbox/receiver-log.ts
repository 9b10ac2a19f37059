interface Log {
  log(line: string): void;
  warn(line: string): void;
}

/** The minimum time between two warnings: one refused event among others must not fill the log. */
const QUIET_MS = 10 * 60_000;

/** Logs when the receiver of events begins to fail, and when it is back. */
export class ReceiverLog {
  private isFailing = false;
  private quietUntil = Number.NEGATIVE_INFINITY;

  constructor(private readonly logger: Log) {}

  failed(why: string, now = performance.now()) {
    if (this.isFailing || now < this.quietUntil) return;
    this.isFailing = true;
    this.quietUntil = now + QUIET_MS;
    this.logger.warn(`events are not delivered: ${why}; they wait, and are sent again`);
  }

  delivered() {
    if (this.isFailing) this.logger.log('events are delivered again');
    this.isFailing = false;
  }
}
