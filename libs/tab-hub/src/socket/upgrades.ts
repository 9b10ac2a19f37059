import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A connection that asks to become something else, and what it sent beyond its request. */
export interface Upgrade {
  readonly socket: Socket;
  readonly head: Buffer;
  /** To be called once the socket belongs to somebody else: nothing is answered over it any more. */
  release(): void;
}

/** What the response of a request emits when its connection became something else. */
export const RELEASED = 'released';

const upgrades = new WeakMap<IncomingMessage, Upgrade>();

/** What to take over when the request is to be upgraded; undefined for an ordinary request. */
export const upgradeOf = (request: IncomingMessage) => upgrades.get(request);

/**
 * Sends requests that `isUpgrade` picks through the same handlers as all others: whoever accepts
 * one takes the socket, and a refusal is an answer like any other, after which the connection ends.
 */
export function acceptUpgrades(server: Server, isUpgrade: (request: IncomingMessage) => boolean) {
  Object.assign(server, { shouldUpgradeCallback: isUpgrade });
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const response = answerOver(request, socket);
    if (!response) return;
    if (isUpgrade(request)) {
      const release = () => {
        response.detachSocket(socket);
        response.emit(RELEASED);
      };
      upgrades.set(request, { socket, head, release });
    }
    server.emit('request', request, response);
  });
}

function answerOver(request: IncomingMessage, socket: Socket): ServerResponse | undefined {
  const response = new ServerResponse(request);
  socket.on('error', destroy);
  try {
    response.assignSocket(socket);
  } catch {
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

/** Keeps nothing: the socket may live for days after its request was answered. */
function destroy(this: Socket) {
  this.destroy();
}
