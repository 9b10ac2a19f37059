import type { Server } from 'node:http';

/** Slow clients may not hold a connection open; idle ones outlive a load balancer's own timeout. */
export function limitServer(server: Server): void {
  server.headersTimeout = 10_000;
  server.requestTimeout = 30_000;
  server.keepAliveTimeout = 75_000;
  server.maxHeadersCount = 100;
}
