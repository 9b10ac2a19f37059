import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { ownOriginOf } from '#libs/accounts';
import { whileWaiting } from '#libs/load';
import { onExchangeEnd } from './exchange-end.js';
import { withShortErrors } from './short-errors.js';

const FORWARDED = ['content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'] as const;
/** Node's pipeline alone listens six times for the end of an answer; Node warns above ten in all. */
const MAX_LISTENERS = 20;
const ACCEPT_BOTH = 'application/json, text/event-stream';

/**
 * A request as the MCP library takes it, without its body. Credentials stay here: only the headers
 * that the protocol reads go on. The library insists on a client that takes JSON and event streams;
 * whoever takes JSON gets JSON from us, so that is enough. Aborted when the client goes away.
 */
export function toWebRequest(request: ExpressRequest, response: ExpressResponse): Request {
  const headers = new Headers();
  for (const name of FORWARDED) {
    const value = request.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  headers.set('accept', request.accepts('application/json') ? ACCEPT_BOTH : 'text/event-stream');
  const gone = new AbortController();
  onExchangeEnd(response, () => {
    if (!response.writableFinished) gone.abort();
  });
  const { method } = request;
  const url = ownOriginOf(request).origin + request.path;
  return new Request(url, { method, headers, signal: gone.signal });
}

/** Headers that are already set on the response stay: nothing of ours may be cached. */
export async function sendWebResponse(
  answer: Response,
  response: ExpressResponse,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return void (await answer.body?.cancel());
  response.status(answer.status);
  for (const [name, value] of answer.headers) {
    if (!response.hasHeader(name)) response.setHeader(name, value);
  }
  if (!answer.body || answer.headers.get('content-type') === 'application/json') {
    return void response.end(withShortErrors(Buffer.from(await answer.arrayBuffer())));
  }
  const events = Readable.fromWeb(answer.body as ReadableStream);
  response.setMaxListeners(MAX_LISTENERS);
  await whileWaiting(() => pipeline(events, response, { signal })).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
