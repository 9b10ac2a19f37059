import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import { logCallerOf, logReasonOf } from '#libs/accounts';
import { currentTraceId, onExchangeEnd, readTraceparent, underRequest } from '#libs/platform';
import type { ServiceLogger } from './service.logger.js';

const OFFERED_ID = /^[A-Za-z0-9_-]{1,64}$/;
const MAX_PATH = 256;

/** Handles a request in a span; `given` is the trace context that the request brought. */
export type TraceRequest = (
  request: Request,
  response: Response,
  given: ReturnType<typeof readTraceparent>,
  handle: () => void,
) => void;

/**
 * The first middleware of all: gives each request an id, also sent as `X-Request-Id`, and writes one line when the
 * request is over. A line never contains query, headers or body, because they hold codes and tokens.
 */
export const requestLog =
  (logger: ServiceLogger, traceRequest: TraceRequest = unrecorded) =>
  (request: Request, response: Response, next: NextFunction) => {
    const id = offeredId(request) ?? randomUUID();
    const given = givenTrace(request);
    let traceId: string | undefined;
    const startedAt = performance.now();
    response.setHeader('X-Request-Id', id);
    const writeLine = () => {
      const { method } = request;
      const { statusCode: status } = response;
      const path = pathOf(request);
      const durationMs = Math.ceil((performance.now() - startedAt) * 10) / 10;
      const cut = response.writableFinished ? {} : { cut: true };
      const reason = logReasonOf(response);
      const fields = {
        context: 'Request',
        requestId: id,
        ...(traceId !== undefined && { traceId }),
        method,
        path,
        status,
        durationMs,
        ...logCallerOf(request),
        ...(reason !== undefined && { reason }),
        ...cut,
      };
      logger.writeLine(status >= 500 ? 'error' : 'info', fields, `${method} ${path} ${status}`);
    };
    onExchangeEnd(response, writeLine);
    const handle = () => {
      traceId = currentTraceId();
      next();
    };
    underRequest(id, given, () => traceRequest(request, response, given, handle));
  };

const unrecorded: TraceRequest = (_request, _response, _given, handle) => handle();

function givenTrace(request: Request) {
  const header = request.headers['traceparent'];
  return header === undefined ? undefined : readTraceparent(header, isFromTrustedProxy(request));
}

/** The request id that a trusted proxy sent, so that its log and ours can be correlated. */
function offeredId(request: Request) {
  const offered = request.headers['x-request-id'];
  if (typeof offered !== 'string' || !OFFERED_ID.test(offered)) return undefined;
  return isFromTrustedProxy(request) ? offered : undefined;
}

export function isFromTrustedProxy({ app, socket }: Request): boolean {
  const trusts = app.get('trust proxy fn') as (address: string, hop: number) => boolean;
  return trusts(socket.remoteAddress ?? '', 0);
}

/** The path without the query, truncated; `*` where the target is not a path. */
export function pathOf({ originalUrl }: Request) {
  if (!originalUrl.startsWith('/')) return '*';
  const queryAt = originalUrl.indexOf('?');
  const path = queryAt < 0 ? originalUrl : originalUrl.slice(0, queryAt);
  return path.slice(0, MAX_PATH);
}
