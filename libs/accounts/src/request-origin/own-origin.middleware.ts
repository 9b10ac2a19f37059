import type { NextFunction, Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { RequestMember } from '#libs/platform';
import { setLogReason } from '../http/log-reason.js';
import { headerValues, isServed, type OwnOrigin, parseOwnOrigin } from './own-origin.js';

const UNCLEAR = 'the Host header is missing or malformed';
const MAX_REMEMBERED = 100;

const ownOrigins = new RequestMember<OwnOrigin>();

/** The origin a request was made to; forwarded headers count only from trusted proxies. */
export function ownOriginOf(request: Request): OwnOrigin {
  const own = ownOrigins.get(request);
  if (!own) throw new Error('the own-origin middleware has to run before anything asks for it');
  return own;
}

/** Runs before all else: 400 for a malformed host or path, 421 for an origin that is not served. */
export function ownOriginMiddleware(publicOrigins?: readonly string[]) {
  /** By scheme and `Host` as sent; contains only hosts that are served, so a client cannot fill it. */
  const served = new LRUCache<string, OwnOrigin>({ max: MAX_REMEMBERED });
  return (request: Request, response: Response, next: NextFunction) => {
    if (!hasTarget(request)) return refuse(response, 400, UNCLEAR);
    const { host = '' } = request;
    const protocol = schemeOf(request);
    const key = `${protocol}://${host}`;
    const own = served.get(key) ?? parseOwnOrigin(protocol, host);
    if (!own) return refuse(response, 400, UNCLEAR);
    if (!served.has(key)) {
      if (!isServed(own, publicOrigins)) {
        return refuse(response, 421, 'this service does not answer at this address');
      }
      served.set(key, own);
    }
    ownOrigins.set(request, own);
    next();
  };
}

/** In any case, and as Traefik names the scheme of an upgrade. */
const schemeOf = ({ protocol }: Request) => protocol.toLowerCase().replace(/^ws/, 'http');

const hasTarget = (request: Request) =>
  headerValues(request, 'host').length === 1 && request.url.startsWith('/');

function refuse(response: Response, status: number, message: string) {
  setLogReason(response, message);
  response.status(status).type('text/plain').send(message);
}
