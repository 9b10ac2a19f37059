import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import { onExchangeEnd } from '#libs/load';
import { readTraceparent, type RequestTrace, underRequest } from '#libs/trace';
import type { ServiceLogger } from './service.logger.js';

const OFFERED_ID = /^[A-Za-z0-9_-]{1,64}$/;
const MAX_PATH = 256;

/** Says which trace a request belongs to, and records it or not. */
export type TraceRequest = (
  request: Request,
  response: Response,
  requestId: string,
) => RequestTrace | undefined;

/**
 * Goes in front of everything: gives each request an id, also told in `X-Request-Id`, and writes one
 * line when it is over. No query, header or body is ever part of it: codes and tokens are in there.
 */
export const requestLog =
  (logger: ServiceLogger, traceRequest: TraceRequest = traceGiven) =>
  (request: Request, response: Response, next: NextFunction) => {
    const id = offeredId(request) ?? randomUUID();
    const traced = traceRequest(request, response, id);
    const startedAt = performance.now();
    response.setHeader('X-Request-Id', id);
    const writeLine = () => {
      const { method } = request;
      const { statusCode: status } = response;
      const path = pathOf(request);
      const durationMs = Math.round((performance.now() - startedAt) * 10) / 10;
      const cut = response.writableFinished ? {} : { cut: true };
      const fields = {
        context: 'Request',
        requestId: id,
        ...(traced && { traceId: traced.trace.id }),
        method,
        path,
        status,
        durationMs,
        ...cut,
      };
      logger.writeLine(status >= 500 ? 'error' : 'info', fields, `${method} ${path} ${status}`);
    };
    onExchangeEnd(response, writeLine);
    underRequest(id, traced, next);
  };

/** The one that it came with, recorded by nobody here. */
function traceGiven({ headers }: Request): RequestTrace | undefined {
  const trace = readTraceparent(headers['traceparent']);
  return trace && { trace };
}

/** An id that a trusted proxy gave, so that its log and ours can be read together. */
function offeredId(request: Request) {
  const offered = request.headers['x-request-id'];
  if (typeof offered !== 'string' || !OFFERED_ID.test(offered)) return undefined;
  return isFromTrustedProxy(request) ? offered : undefined;
}

export function isFromTrustedProxy({ app, socket }: Request): boolean {
  const trusts = app.get('trust proxy fn') as (address: string, hop: number) => boolean;
  return trusts(socket.remoteAddress ?? '', 0);
}

/** Without the query, and no longer than anybody has to read; `*` where it is none. */
export function pathOf({ originalUrl }: Request) {
  if (!originalUrl.startsWith('/')) return '*';
  const queryAt = originalUrl.indexOf('?');
  const path = queryAt < 0 ? originalUrl : originalUrl.slice(0, queryAt);
  return path.slice(0, MAX_PATH);
}
