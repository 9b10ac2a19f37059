import type { ServerResponse } from 'node:http';
import { onExchangeEnd } from '#libs/platform';
import { ProtocolErrorCode, SUBSCRIPTION_ID_META_KEY } from '@modelcontextprotocol/server';
import { shortError } from './errors.js';
import type { McpAnswer, PostedMessages } from './message.js';

/** A reader that is further behind gets only the end of the stream. */
const MAX_QUEUED_BYTES = 64 * 1024;

/** `no-transform`, and `X-Accel-Buffering` for nginx, keep proxies from buffering events. */
const HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
};

/** A response as an event stream (Streamable HTTP). Until the first event any other response can be sent. */
export class EventStream {
  constructor(private readonly response: ServerResponse) {}

  get hasBegun(): boolean {
    return this.response.headersSent;
  }

  onEnd(end: () => void): void {
    onExchangeEnd(this.response, end);
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

  cut(): void {
    this.response.destroy();
  }

  private write(chunk: string): boolean {
    const { response } = this;
    if (response.destroyed || response.writableEnded) return false;
    if (response.writableLength > MAX_QUEUED_BYTES) return false;
    if (!response.headersSent) response.writeHead(200, HEADERS);
    response.write(chunk);
    return true;
  }
}

const eventOf = (json: string) => `event: message\ndata: ${json}\n\n`;

export interface HttpAnswer {
  readonly status: number;
  readonly type?: string;
  readonly text: string;
}

const NO_ANSWER: HttpAnswer = { status: 202, text: '' };

/** The answers are JSON texts. */
export const batchAnswer = (answers: readonly string[]): HttpAnswer =>
  answers.length === 0
    ? NO_ANSWER
    : { status: 200, type: 'application/json', text: `[${answers.join()}]` };

export function httpAnswer(
  { era, requests }: PostedMessages,
  first: McpAnswer | undefined,
): HttpAnswer {
  if (!first) return NO_ANSWER;
  if (era === 'legacy') return json(200, withShortError(first));
  if ('error' in first) return json(STATUS.get(first.error.code) ?? 200, withShortError(first));
  return requests[0]?.message.method === 'subscriptions/listen'
    ? subscription(first)
    : json(200, first);
}

/** Error codes that also set the HTTP status (MCP 2026-07-28, Streamable HTTP). */
const STATUS: ReadonlyMap<number, number> = new Map([
  [ProtocolErrorCode.MethodNotFound, 404],
  [ProtocolErrorCode.MissingRequiredClientCapability, 400],
]);

const json = (status: number, value: unknown): HttpAnswer => ({
  status,
  type: 'application/json',
  text: JSON.stringify(value),
});

/** A JSON answer as the one event of a stream, for clients that accept nothing else; others stay as they are. */
export const asEvent = (answer: HttpAnswer): HttpAnswer =>
  answer.type === 'application/json' && answer.status === 200
    ? { ...answer, type: HEADERS['Content-Type'], text: eventOf(answer.text) }
    : answer;

export const jsonOf = (answer: McpAnswer): string => JSON.stringify(withShortError(answer));

const withShortError = (answer: McpAnswer) =>
  'error' in answer ? { ...answer, error: shortError(answer.error) } : answer;

function subscription(answer: Extract<McpAnswer, { result: unknown }>): HttpAnswer {
  const acknowledged = {
    jsonrpc: '2.0',
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications: {}, _meta: { [SUBSCRIPTION_ID_META_KEY]: answer.id } },
  };
  const events = [acknowledged, answer].map((message) => eventOf(JSON.stringify(message)));
  return { status: 200, type: 'text/event-stream', text: events.join('') };
}
