import type { IncomingMessage, Server } from 'node:http';

/** Slow clients may not hold a connection open; idle ones outlive a load balancer's own timeout. */
export function limitServer(server: Server): void {
  server.headersTimeout = 10_000;
  server.requestTimeout = 30_000;
  server.keepAliveTimeout = 75_000;
  server.prependListener('request', refuseFragments);
}

/** A target with a fragment is none (RFC 9112 §3.2), and routers disagree about what it means. */
function refuseFragments(request: IncomingMessage) {
  if (request.url?.includes('#')) request.url = '*';
}
