import type { Server } from 'node:http';
import type { BeforeApplicationShutdown } from '@nestjs/common';
import type { HttpAdapterHost } from '@nestjs/core';

/** Requests in flight have this long to end after SIGTERM; then their connections are cut. */
export class ShutdownGraceService implements BeforeApplicationShutdown {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly graceMs: number,
  ) {}

  beforeApplicationShutdown() {
    const server = this.host.httpAdapter.getHttpServer() as Server;
    setTimeout(() => server.closeAllConnections(), this.graceMs).unref();
  }
}
