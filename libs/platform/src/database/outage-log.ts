interface Log {
  log(line: string): void;
  warn(line: string): void;
}

/** Logs once that an outage has begun and once that it is over, however many calls fail or succeed in between. */
export class OutageLog {
  private isOut = false;

  constructor(private readonly logger: Log) {}

  begin(line: string): void {
    if (!this.isOut) this.logger.warn(line);
    this.isOut = true;
  }

  /** Without `line` the end is not logged. */
  end(line?: string): void {
    if (this.isOut && line !== undefined) this.logger.log(line);
    this.isOut = false;
  }
}
