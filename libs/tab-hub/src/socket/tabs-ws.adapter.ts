import { WsAdapter } from '@nestjs/platform-ws';
import type { WsMessageHandler } from '@nestjs/common';
import { type RawData, WebSocketServer } from 'ws';
import { FrameError } from '../protocol/frame.error.js';
import { FAILED, GOING_AWAY, TOO_MANY_MESSAGES } from '../protocol/close-codes.js';
import { MAX_FRAME_BYTES, parseTabFrame } from '../protocol/tab-frame.js';
import { AccountTraffic } from './account-traffic.js';
import { refuseFrame } from './frame-error.filter.js';
import { FrameQueue } from './frame-queue.js';
import { MessageRate } from './message-rate.js';
import { TabSocket, type TabSocketServer } from './tab-socket.js';

const SERVER_OPTIONS = {
  noServer: true,
  WebSocket: TabSocket,
  perMessageDeflate: false,
  maxPayload: MAX_FRAME_BYTES,
  /** A connection whose other side does not answer a close, or does not read it, is cut after this. */
  closeTimeout: 3000,
};

const TOO_FAST = new FrameError(
  'rate_limited',
  'slow down to 50 messages a second, and 2 MiB a second from all tabs together',
);
const BINARY = new FrameError('bad_message', 'a frame must be text');

type Handlers = ReadonlyMap<unknown, WsMessageHandler['callback']>;

/**
 * Nest's adapter for `ws` with the hub's rules: the gateway hands in the connections, frames are
 * checked before a handler sees them, come one after the other, and are limited in size and rate.
 */
export class TabsWsAdapter extends WsAdapter {
  private readonly traffic = new AccountTraffic();

  override create(): TabSocketServer {
    return new WebSocketServer(SERVER_OPTIONS);
  }

  override bindMessageHandlers(socket: TabSocket, handlers: WsMessageHandler[]) {
    const byEvent: Handlers = new Map(handlers.map((one) => [one.message, one.callback]));
    const rate = new MessageRate();
    const queue = new FrameQueue<RawData>(socket, (raw) => answer(socket, byEvent, raw));
    socket.on('error', () => undefined);
    socket.on('message', (raw: RawData, isBinary: boolean) => {
      socket.isAlive = true;
      const fits = () => this.traffic.take(socket.userId, sizeOf(raw));
      if (!socket.isOpen || !isAdmitted(rate, socket, fits)) return;
      if (isBinary) refuseFrame(socket, BINARY);
      else queue.push(raw);
    });
    // A pong has been sent by itself already, and may be left unread.
    socket.on('ping', () => isAdmitted(rate, socket) && socket.keepsUp());
    socket.on('pong', () => {
      socket.isAlive = true;
      isAdmitted(rate, socket);
    });
  }

  override async close(server: TabSocketServer) {
    const closed = new Promise((resolve) => {
      server.close(resolve);
    });
    for (const socket of server.clients) socket.end(GOING_AWAY);
    await closed;
  }
}

async function answer(socket: TabSocket, handlers: Handlers, raw: RawData) {
  await socket.opened;
  if (!socket.isOpen) return;
  try {
    const { event, data } = parseTabFrame(raw.toString());
    await handlers.get(event)?.(data, event);
  } catch (error) {
    if (error instanceof FrameError) refuseFrame(socket, error);
    else socket.end(FAILED);
  }
}

const sizeOf = (raw: RawData) =>
  Array.isArray(raw) ? raw.reduce((sum, { length }) => sum + length, 0) : raw.byteLength;

/** Counts a message and, when it is one too many, says so or ends the connection. */
function isAdmitted(rate: MessageRate, socket: TabSocket, fits?: () => boolean): boolean {
  const action = rate.take(fits);
  if (action === 'warn') refuseFrame(socket, TOO_FAST);
  if (action === 'close') socket.end(TOO_MANY_MESSAGES);
  return action === 'pass';
}
