const MAX_LINES = 100;
const MAX_BYTES = 16_384;

/** Log lines of the code, up to 100 and 16 KiB; one further line then says that some were cut. */
export class RunLogs {
  readonly lines: string[] = [];
  private room = MAX_BYTES;
  private isFull = false;

  get takesMore(): boolean {
    return !this.isFull;
  }

  add(line: string) {
    if (this.isFull) return;
    const bytes = Buffer.from(line);
    this.isFull = this.lines.length === MAX_LINES || bytes.length > this.room;
    if (this.lines.length < MAX_LINES) this.lines.push(textOf(bytes.subarray(0, this.room)));
    this.room -= bytes.length;
    if (this.isFull) this.lines.push('(more was logged and left out)');
  }
}

/** Omits a last character that is cut in the middle. */
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes, { stream: true });
