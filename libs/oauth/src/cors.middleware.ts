import type { NextFunction, Request, Response } from 'express';
import { OAUTH_PATHS } from './oauth-endpoints.js';

/** The wildcard covers any other header, but never `Authorization` (Fetch, CORS protocol). */
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

interface OpenPaths {
  readonly test: RegExp;
  readonly methods: readonly string[];
  /** A controller answers OPTIONS, because the visitor limit counts it. */
  readonly isCounted?: true;
}

const OPEN: readonly OpenPaths[] = [
  { test: /^\/svc\/mcp(?:\/|$)/, methods: ['POST'] },
  { test: /^\/\.well-known\/oauth-protected-resource/, methods: ['GET', 'HEAD'] },
  { test: /^\/\.well-known\/oauth-authorization-server(?:\/|$)/, methods: ['GET', 'HEAD'] },
  { test: /^\/svc\/jwks$/, methods: ['GET', 'HEAD'] },
  { test: /^\/svc\/oauth\/(?:token|revoke|register)$/, methods: ['POST'], isCounted: true },
];

/** Parts of the service that may be switched off; their paths are like unknown ones then. */
interface SwitchedParts {
  readonly registration?: boolean;
  readonly signingKeys?: boolean;
}

/**
 * Lets pages of any origin call discovery, keys, token, revocation, registration and the MCP endpoint, and read every
 * answer, refusals included. This is safe because the browser sends no cookies with these requests (no credentials).
 * The application has to use it before anything refuses a request.
 */
export function cors({ registration = true, signingKeys = false }: SwitchedParts = {}) {
  const off = [
    ...(registration ? [] : [OAUTH_PATHS.register]),
    ...(signingKeys ? [] : [OAUTH_PATHS.jwks]),
  ];
  const isOff = (path: string) => off.some((offPath) => offPath === path);
  return (request: Request, response: Response, next: NextFunction): void => {
    const [path = ''] = request.originalUrl.split('?');
    const open = OPEN.find(({ test }) => test.test(path));
    if (!open || isOff(path)) return next();
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Access-Control-Expose-Headers', EXPOSED_HEADERS);
    if (request.method !== 'OPTIONS') return next();
    response.set({
      Allow: [...open.methods, 'OPTIONS'].join(', '),
      'Access-Control-Allow-Methods': open.methods.join(', '),
      'Access-Control-Allow-Headers': ALLOWED_HEADERS,
      'Access-Control-Max-Age': MAX_AGE_SECONDS,
    });
    if (open.isCounted) next();
    else response.status(204).end();
  };
}
