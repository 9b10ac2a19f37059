import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ForbiddenException, type INestApplication } from '@nestjs/common';
import { WsAdapter } from '@nestjs/platform-ws';
import type { MessageMappingProperties } from '@nestjs/websockets';
import type { Request, Response } from 'express';
import { type ServerOptions, WebSocket, WebSocketServer } from 'ws';
import { isForeignOrigin, ownOriginOf, RefusalError } from '#libs/accounts';
import { outsideOfRequests } from '#libs/platform';
import { GOING_AWAY } from '../protocol/frames-to-tab.js';
import { TabInflowService } from './tab-inflow.service.js';
import { TabSocket } from './tab-socket.js';

export interface GatewayOptions extends ServerOptions {
  /** Milliseconds after which a connection is cut whose other side does not answer a close. Default: 3000. */
  readonly closeTimeout?: number;
  /** A controller accepts with `upgradeOf`; without it, own origins and requests without an origin are accepted. */
  readonly acceptedByController?: boolean;
}

interface Upgrade {
  /**
   * Makes a WebSocket of the connection. `forGateway` is what the gateway's `handleConnection` gets beside it.
   * @throws RefusalError 400 where the handshake is malformed
   */
  accept(request: Request, response: Response, forGateway: unknown): void;
}

export const UPGRADED = 'upgraded';
const VERSION = '13';
const CLOSE_TIMEOUT_MS = 3000;

const upgrades = new WeakMap<IncomingMessage, Upgrade>();

/** How to accept a request to connect to a gateway; undefined for an ordinary request. */
export const upgradeOf = (request: IncomingMessage) => upgrades.get(request);

/**
 * Nest's adapter for `ws`, with three differences. A request to connect gets a `ServerResponse` and goes through the
 * HTTP pipeline first: request id, log, limits, origin, controllers and filters are the same as for any other. Frames
 * of tabs reach the handlers one by one, through `TabInflowService`: Nest's RxJS binding costs 20 µs a frame and has
 * no order. The application's end closes connections with 1001 instead of cutting them.
 */
export class GatewayAdapter extends WsAdapter {
  private readonly servers = new Map<string, WebSocketServer>();
  private readonly inflow: TabInflowService;

  constructor(private readonly app: INestApplication) {
    super(app);
    this.inflow = app.get(TabInflowService, { strict: false });
    const server = app.getHttpServer() as Server;
    const shouldUpgradeCallback = (request: IncomingMessage) =>
      this.serverFor(request) !== undefined;
    Object.assign(server, { shouldUpgradeCallback });
    server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      const response = responseOver(request, socket);
      const gateway = this.serverFor(request);
      if (!response || !gateway) return void socket.destroy();
      upgrades.set(request, {
        accept: (...upgrade) => this.accept(gateway, socket, head, ...upgrade),
      });
      server.emit('request', request, response);
    });
  }

  override create(port: number, options: GatewayOptions = {}) {
    if (port !== 0 || 'namespace' in options) return super.create(port, options) as unknown;
    const { path: given = '', acceptedByController = false, ...others } = options;
    const path = given.startsWith('/') ? given : `/${given}`;
    const known = this.servers.get(path);
    if (known) return known;
    const server = new WebSocketServer({
      closeTimeout: CLOSE_TIMEOUT_MS,
      ...others,
      noServer: true,
    });
    this.servers.set(path, server);
    if (!acceptedByController) this.acceptOwnOrigin(path);
    return server;
  }

  override bindMessageHandlers(
    client: WebSocket,
    handlers: MessageMappingProperties[],
    transform: Parameters<WsAdapter['bindMessageHandlers']>[2],
  ) {
    if (client instanceof TabSocket) this.inflow.bind(client, handlers);
    else super.bindMessageHandlers(client, handlers, transform);
  }

  /** A tab is gone for others as soon as its connection begins to close. */
  override bindClientDisconnect(client: WebSocket, callback: () => void) {
    if (client instanceof TabSocket) client.onLeaving = callback;
    else super.bindClientDisconnect(client, callback);
  }

  override async close(server: WebSocketServer) {
    const closed = new Promise((resolve) => {
      server.close(resolve);
    });
    for (const client of server.clients) client.close(GOING_AWAY.code, GOING_AWAY.reason);
    await closed;
  }

  private accept(
    server: WebSocketServer,
    socket: Socket,
    head: Buffer,
    request: Request,
    response: Response,
    forGateway: unknown,
  ) {
    if (request.headers['sec-websocket-version'] !== VERSION) {
      const headers = { 'Sec-WebSocket-Version': VERSION };
      throw new RefusalError(400, `the WebSocket version must be ${VERSION}`, headers);
    }
    const refuse = (error: Error) => {
      throw new RefusalError(400, error.message, {}, { cause: error });
    };
    server.once('wsClientError', refuse);
    try {
      server.handleUpgrade(request, socket, head, (client: WebSocket) => {
        response.detachSocket(socket);
        response.emit(UPGRADED);
        client.on('error', ignore);
        if (client instanceof TabSocket) client.attach(socket, this.inflow.counts);
        outsideOfRequests(() => server.emit('connection', client, forGateway));
      });
    } finally {
      server.off('wsClientError', refuse);
    }
  }

  private serverFor({ method, url, headers }: IncomingMessage) {
    if (method !== 'GET' || headers.upgrade?.toLowerCase() !== 'websocket') return undefined;
    return this.servers.get(url?.split('?')[0] ?? '');
  }

  private acceptOwnOrigin(path: string) {
    this.app.getHttpAdapter().get(path, (request: Request, response: Response, next) => {
      const upgrade = upgradeOf(request);
      if (!upgrade) return void next?.();
      if (isForeignOrigin(request.headers.origin, ownOriginOf(request).origin)) {
        throw new ForbiddenException('pages of other origins may not connect here');
      }
      upgrade.accept(request, response, request);
    });
  }
}

function responseOver(request: IncomingMessage, socket: Socket): ServerResponse | undefined {
  const response = new ServerResponse(request);
  socket.on('error', destroy);
  try {
    response.assignSocket(socket);
  } catch {
    // An earlier request of the connection is not answered yet.
    socket.destroy();
    return undefined;
  }
  response.shouldKeepAlive = false;
  response.on('finish', () => {
    response.detachSocket(socket);
    socket.destroySoon();
    // As after any other answer.
    response.emit('close');
  });
  return response;
}

const ignore = () => undefined;

/** Keeps nothing: the socket may live for days after its request was answered. */
function destroy(this: Socket) {
  this.destroy();
}
