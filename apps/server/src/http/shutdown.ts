import { EventEmitter, once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { type INestApplication, Logger, type NestApplicationOptions } from '@nestjs/common';
import type { Express } from 'express';
import { onExchangeEnd } from '#libs/platform';
import { upgradeOf } from '#libs/tab-hub';
import { JsonRepliesAdapter } from './json-replies.adapter.js';

const IDLE_GRACE_MS = 2_000;
const UPGRADED_GRACE_MS = 1_000;

/**
 * Ends the server without a failed request. It stops listening and still answers requests on open connections,
 * closing each connection with its answer, before any provider's shutdown hook runs. So a balancer leaves by itself,
 * and never finds a connection closed that it was about to use. Connections still open after `graceMs` are cut.
 */
export class DrainingAdapter extends JsonRepliesAdapter {
  private readonly inFlight = new Set<ServerResponse>();
  private readonly connections = new Set<Socket>();
  private readonly departures = new EventEmitter();
  private readonly endListeners: (() => void)[] = [];
  private draining = false;

  constructor(
    express: Express,
    private readonly graceMs: number,
  ) {
    super(express);
  }

  override initHttpServer(options: NestApplicationOptions) {
    super.initHttpServer(options);
    this.server.prependListener('request', (request, response) => this.follow(request, response));
    this.server.on('connection', (socket: Socket) => {
      this.connections.add(socket);
      socket.once('close', () => this.leave(this.connections, socket));
    });
  }

  /**
   * Call this before the application is closed, where a balancer is in front of it: idle connections have a moment to
   * be used once more.
   */
  async drainConnections(): Promise<void> {
    // Closing would reset connections in the accept queue; right after an event-loop turn it is empty.
    await turn();
    this.begin();
    await this.until(this.connections, Math.min(this.graceMs, IDLE_GRACE_MS));
  }

  /** Calls `listener` when the application ends, before it waits for requests in flight. */
  onEnd(listener: () => void) {
    this.endListeners.push(listener);
  }

  override async beforeClose() {
    super.beforeClose();
    for (const listener of this.endListeners) listener();
    this.begin();
    this.server.closeIdleConnections();
    await this.until(this.inFlight, this.graceMs);
  }

  /** Upgraded connections that do not close by themselves are cut. */
  override async close() {
    setTimeout(() => {
      for (const socket of this.connections) socket.destroy();
    }, UPGRADED_GRACE_MS).unref();
    await super.close();
  }

  private get server(): Server {
    return this.getHttpServer() as Server;
  }

  private begin() {
    if (this.draining) return;
    this.draining = true;
    for (const response of this.inFlight) response.shouldKeepAlive = false;
    // Server.close of node:http would close idle connections at once.
    NetServer.prototype.close.call(this.server);
    setTimeout(() => this.server.closeAllConnections(), this.graceMs).unref();
  }

  private follow(request: IncomingMessage, response: ServerResponse) {
    if (upgradeOf(request)) return;
    if (this.draining) response.shouldKeepAlive = false;
    this.inFlight.add(response);
    onExchangeEnd(response, () => this.leave(this.inFlight, response));
  }

  private leave<T>(group: Set<T>, one: T) {
    group.delete(one);
    this.departures.emit('left');
  }

  private async until(group: ReadonlySet<unknown>, waitMs: number) {
    const signal = AbortSignal.timeout(waitMs);
    while (group.size > 0 && !signal.aborted) {
      await once(this.departures, 'left', { signal }).catch(() => undefined);
    }
  }
}

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** Shuts the process down gracefully on a signal, with exit code 0. Further signals have no effect. */
export function endOnSignals(app: INestApplication): void {
  const logger = new Logger('End');
  let ending = false;
  const end = async (signal: NodeJS.Signals) => {
    if (ending) return;
    ending = true;
    logger.log(`${signal}: no new connections, requests under way are finished`);
    try {
      const adapter = app.getHttpAdapter();
      if (adapter instanceof DrainingAdapter) await adapter.drainConnections();
      await app.close();
      process.exit(0);
    } catch (error) {
      logger.error(error);
      process.exit(1);
    }
  };
  for (const signal of SIGNALS) process.on(signal, (name) => void end(name));
}
