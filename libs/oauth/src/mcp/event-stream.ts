import type { ServerResponse } from 'node:http';

/** A reader that is further behind gets nothing but the end. */
const MAX_QUEUED_BYTES = 64 * 1024;

/** `no-transform`, and the word that nginx knows: what is on the way may keep nothing back. */
const HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
};

/**
 * An answer in events (Streamable HTTP), one message each. It begins with the first one; until then
 * any other answer can be given.
 */
export class EventStream {
  private begun = false;

  constructor(private readonly response: ServerResponse) {}

  get hasBegun(): boolean {
    return this.begun;
  }

  /** False where the message was left out, since the reader is too slow or gone. */
  send(message: object): boolean {
    return this.write(eventOf(JSON.stringify(message)));
  }

  /** Says nothing, so that nobody on the way takes the stream for dead. */
  keepAlive(): boolean {
    return this.write(': keepalive\n\n');
  }

  /** `text` is the last message, as JSON; without one the stream just ends. Nothing for a reader that is gone. */
  end(text?: string): void {
    if (this.response.destroyed) return;
    if (text === undefined) this.response.end();
    else this.response.end(eventOf(text));
  }

  /** For a reader that does not read. */
  cut(): void {
    this.response.destroy();
  }

  private write(chunk: string): boolean {
    const { response } = this;
    if (response.destroyed || response.writableEnded) return false;
    if (response.writableLength > MAX_QUEUED_BYTES) return false;
    if (!this.begun) {
      this.begun = true;
      response.writeHead(200, HEADERS);
    }
    response.write(chunk);
    return true;
  }
}

const eventOf = (json: string) => `event: message\ndata: ${json}\n\n`;
