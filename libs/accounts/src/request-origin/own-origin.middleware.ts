import type { NextFunction, Request, Response } from 'express';
import { isServed } from './origin-policy.js';
import { type OwnOrigin, parseOwnOrigin } from './own-origin.js';

const ownOrigins = new WeakMap<Request, OwnOrigin>();

/** The origin a request was made to; forwarded headers count only from trusted proxies. */
export function ownOriginOf(request: Request): OwnOrigin {
  const own = ownOrigins.get(request);
  if (!own) throw new Error('the own-origin middleware has to run before anything asks for it');
  return own;
}

/**
 * Goes in front of everything: 400 for a request that does not say where it goes, 421 for an
 * origin that is not served here. Neither answer repeats what the request said.
 */
export const ownOriginMiddleware =
  (publicOrigins?: readonly string[]) =>
  (request: Request, response: Response, next: NextFunction) => {
    const own = readOwnOrigin(request);
    if (!own) return void refuse(response, 400, 'the Host header is missing or malformed');
    if (!isServed(own, publicOrigins)) {
      return void refuse(response, 421, 'this service does not answer at this address');
    }
    ownOrigins.set(request, own);
    next();
  };

function readOwnOrigin(request: Request): OwnOrigin | undefined {
  const hosts = request.headersDistinct['host'] ?? [];
  if (hosts.length !== 1 || !request.url.startsWith('/')) return undefined;
  return parseOwnOrigin(request.protocol, request.host ?? '');
}

const refuse = (response: Response, status: number, message: string) =>
  response.status(status).type('text/plain').send(message);
