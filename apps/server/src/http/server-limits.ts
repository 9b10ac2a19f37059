import type { IncomingMessage, Server } from 'node:http';
import { cutTinyPieces } from './body-pieces.js';

/** How long a client may take, in milliseconds. */
interface ServerLimits {
  /** From the opening of a connection, or the first byte of a later request, to the end of the headers. */
  readonly headersMs: number;
  /** From the same moment to the end of the body. */
  readonly requestMs: number;
  /** Without a byte in either direction while an answer is computed or read; no answer takes that long. */
  readonly silenceMs: number;
  /** Between an answer and the next request. */
  readonly keepAliveMs: number;
  /** How often the first two are checked, so they may be exceeded by this much. */
  readonly checkMs: number;
}

/** Slow clients may not hold a connection open; idle connections outlive a load balancer's own timeout. */
const SERVER_LIMITS: ServerLimits = {
  headersMs: 10_000,
  requestMs: 30_000,
  silenceMs: 60_000,
  keepAliveMs: 75_000,
  checkMs: 5_000,
};

/** Call this before the server listens. */
export function limitServer(server: Server, limits = SERVER_LIMITS): void {
  server.headersTimeout = limits.headersMs;
  server.requestTimeout = limits.requestMs;
  server.timeout = limits.silenceMs;
  server.keepAliveTimeout = limits.keepAliveMs;
  // An option of createServer, which Nest calls; Node reads it when the server begins to listen.
  Object.assign(server, { connectionsCheckingInterval: limits.checkMs });
  server.prependListener('request', refuseFragments);
  server.prependListener('request', cutTinyPieces);
}

/** A request target must not have a fragment (RFC 9112 §3.2), and routers disagree about its meaning. */
function refuseFragments(request: IncomingMessage) {
  if (request.url?.includes('#')) request.url = '*';
}
