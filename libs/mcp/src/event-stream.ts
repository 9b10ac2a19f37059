import type { ServerResponse } from 'node:http';

/** A reader that is further behind gets only the end of the stream. */
const MAX_QUEUED_BYTES = 64 * 1024;

/** `no-transform`, and `X-Accel-Buffering` for nginx, keep proxies from buffering events. */
const HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
};

/**
 * A response as an event stream (Streamable HTTP), one message per event. It begins with the first event;
 * until then any other response can be sent.
 */
export class EventStream {
  private begun = false;

  constructor(private readonly response: ServerResponse) {}

  get hasBegun(): boolean {
    return this.begun;
  }

  /** False when the message was dropped because the reader is too slow or gone. */
  send(message: object): boolean {
    return this.write(eventOf(JSON.stringify(message)));
  }

  /** Sends a comment, so that proxies do not close the stream as idle. */
  keepAlive(): boolean {
    return this.write(': keepalive\n\n');
  }

  /** Sends `text` as the last message, as JSON, if given, and ends the stream. Does nothing if the reader is gone. */
  end(text?: string): void {
    if (this.response.destroyed) return;
    if (text === undefined) this.response.end();
    else this.response.end(eventOf(text));
  }

  /** Closes the connection of a reader that does not read. */
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
