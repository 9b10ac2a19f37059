import type { NextFunction, Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { RequestMember } from '#libs/platform';
import { headerValues } from './header-values.js';
import { isServed } from './origin-policy.js';
import { type OwnOrigin, parseOwnOrigin } from './own-origin.js';

const UNCLEAR = 'the Host header is missing or malformed';
/** Spellings of our own names, of which there are few. */
const MAX_REMEMBERED = 100;

const ownOrigins = new RequestMember<OwnOrigin>();

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
export function ownOriginMiddleware(publicOrigins?: readonly string[]) {
  /** By scheme and `Host` as they were sent; nobody can fill it with hosts that are not served. */
  const served = new LRUCache<string, OwnOrigin>({ max: MAX_REMEMBERED });
  return (request: Request, response: Response, next: NextFunction) => {
    if (!saysWhere(request)) return void refuse(response, 400, UNCLEAR);
    const { protocol, host = '' } = request;
    const key = `${protocol}://${host}`;
    const own = served.get(key) ?? parseOwnOrigin(protocol, host);
    if (!own) return void refuse(response, 400, UNCLEAR);
    if (!served.has(key)) {
      if (!isServed(own, publicOrigins)) {
        return void refuse(response, 421, 'this service does not answer at this address');
      }
      served.set(key, own);
    }
    ownOrigins.set(request, own);
    next();
  };
}

const saysWhere = (request: Request) =>
  headerValues(request, 'host').length === 1 && request.url.startsWith('/');

const refuse = (response: Response, status: number, message: string) =>
  response.status(status).type('text/plain').send(message);
