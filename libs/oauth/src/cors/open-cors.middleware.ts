import type { NextFunction, Request, Response } from 'express';

/** The wildcard means any other header: `Authorization` is never part of it (Fetch, CORS protocol). */
const ALLOWED_HEADERS = [
  'Authorization',
  'Content-Type',
  'Accept',
  'Last-Event-ID',
  'Mcp-Session-Id',
  'Mcp-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
  '*',
].join(', ');
const EXPOSED_HEADERS = 'WWW-Authenticate, Mcp-Session-Id, Mcp-Protocol-Version, Retry-After';
const MAX_AGE_SECONDS = '86400';

type Middleware = (request: Request, response: Response, next: NextFunction) => void;

/**
 * Lets pages of any origin call an endpoint and read every answer of it, refusals too. No cookie is
 * ever sent along (no credentials), so there is nothing to guard.
 */
export const corsHeaders =
  (...methods: readonly string[]): Middleware =>
  (request, response, next) => {
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Access-Control-Expose-Headers', EXPOSED_HEADERS);
    if (request.method === 'OPTIONS') {
      response.set({
        Allow: [...methods, 'OPTIONS'].join(', '),
        'Access-Control-Allow-Methods': methods.join(', '),
        'Access-Control-Allow-Headers': ALLOWED_HEADERS,
        'Access-Control-Max-Age': MAX_AGE_SECONDS,
      });
    }
    next();
  };

/** The same, where a preflight needs no more than these headers: OPTIONS is answered here, 204. */
export const openCors =
  (...methods: readonly string[]): Middleware =>
  (request, response, next) =>
    corsHeaders(...methods)(request, response, () => {
      if (request.method === 'OPTIONS') response.status(204).end();
      else next();
    });

/** Routes of middleware take a trailing slash and paths below for the same; this takes the very paths. */
export const exactly =
  (middleware: Middleware, ...paths: readonly string[]): Middleware =>
  (request, response, next) => {
    const [path = ''] = request.originalUrl.split('?');
    if (paths.includes(path)) middleware(request, response, next);
    else next();
  };
