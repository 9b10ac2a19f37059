interface Log {
  log(line: string): void;
  warn(line: string): void;
}

/** Says once that an outage has begun and once that it is over, whatever fails or works in between. */
export class OutageLog {
  private isOut = false;

  constructor(private readonly logger: Log) {}

  begin(line: string): void {
    if (!this.isOut) this.logger.warn(line);
    this.isOut = true;
  }

  /** Without `line`, for an outage whose end needs no word. */
  end(line?: string): void {
    if (this.isOut && line !== undefined) this.logger.log(line);
    this.isOut = false;
  }
}
