import { EventEmitter, once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import {
  type INestApplication,
  Injectable,
  Logger,
  type NestApplicationOptions,
  type OnModuleInit,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Express } from 'express';
import { SubscriptionsService } from '#libs/mcp';
import { onExchangeEnd } from '#libs/platform';
import { TabConnectionsService, upgradeOf } from '#libs/tab-hub';
import { JsonRepliesAdapter } from './json-replies.adapter.js';
import { limitServer } from './server-limits.js';

const IDLE_GRACE_MS = 2_000;
const UPGRADED_GRACE_MS = 1_000;

/**
 * Ends the server without a failed request. It stops listening and still answers requests on open connections,
 * closing each connection with its answer, before any provider's shutdown hook runs. So a balancer leaves by itself,
 * and never finds a connection closed that it was about to use. Connections still open after `graceMs` are cut.
 */
export class DrainingAdapter extends JsonRepliesAdapter {
  /**
   * The answers under way, by their connection. In one set of them all, whose table grows old, answers would survive
   * young collections: `GET me` took 54 µs in place of 39.
   */
  private readonly connections = new Map<Socket, Set<ServerResponse>>();
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
    limitServer(this.server);
    this.server.prependListener('request', (request, response) => this.follow(request, response));
    this.server.on('checkExpectation', (...exchange) => this.server.emit('request', ...exchange));
    this.server.on('connection', (socket: Socket) => this.followConnection(socket));
  }

  /**
   * Call this before the application is closed, where a balancer is in front of it: idle connections have a moment to
   * be used once more.
   */
  async drainConnections(): Promise<void> {
    // Closing would reset connections in the accept queue; right after an event-loop turn it is empty.
    await turn();
    this.begin();
    await this.until(() => this.connections.size === 0, Math.min(this.graceMs, IDLE_GRACE_MS));
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
    await this.until(() => this.answers().next().done === true, this.graceMs);
  }

  /** Upgraded connections that do not close by themselves are cut. */
  override async close() {
    setTimeout(() => {
      for (const socket of this.connections.keys()) socket.destroy();
    }, UPGRADED_GRACE_MS).unref();
    await super.close();
  }

  private get server(): Server {
    return this.getHttpServer() as Server;
  }

  private begin() {
    if (this.draining) return;
    this.draining = true;
    for (const response of this.answers()) response.shouldKeepAlive = false;
    // Server.close of node:http would close idle connections at once.
    NetServer.prototype.close.call(this.server);
    setTimeout(() => this.server.closeAllConnections(), this.graceMs).unref();
  }

  private *answers() {
    for (const answers of this.connections.values()) yield* answers;
  }

  /**
   * Every response emits `close` with its connection. When a `CONNECT` or an upgrade follows pipelined requests, Node
   * forgets all their responses but the first: they would never close, and anything counted or kept until then would
   * leak.
   */
  private followConnection(socket: Socket) {
    const answers = new Set<ServerResponse>();
    this.connections.set(socket, answers);
    socket.on('close', () => {
      answers.forEach(close);
      this.connections.delete(socket);
      this.departures.emit('left');
    });
  }

  private follow(request: IncomingMessage, response: ServerResponse) {
    const answers = this.connections.get(request.socket);
    if (!answers || upgradeOf(request)) return;
    if (this.draining) response.shouldKeepAlive = false;
    answers.add(response);
    onExchangeEnd(response, () => {
      answers.delete(response);
      this.departures.emit('left');
    });
  }

  private async until(isReached: () => boolean, waitMs: number) {
    const signal = AbortSignal.timeout(waitMs);
    while (!isReached() && !signal.aborted) {
      await once(this.departures, 'left', { signal }).catch(() => undefined);
    }
  }
}

/** Ends subscriptions and sends idle tabs away as soon as the application ends: they would last until the grace is over. */
@Injectable()
export class DrainService implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly subscriptions: SubscriptionsService,
    private readonly tabs: TabConnectionsService,
  ) {}

  onModuleInit() {
    const { httpAdapter } = this.host;
    if (!(httpAdapter instanceof DrainingAdapter)) return;
    httpAdapter.onEnd(() => this.subscriptions.endAll());
    httpAdapter.onEnd(() => this.tabs.sendIdleAway());
  }
}

function close(response: ServerResponse) {
  response.destroy();
  if (!response.closed) response.emit('close');
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
