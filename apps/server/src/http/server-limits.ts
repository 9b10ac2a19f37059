import { IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { RequestMember } from '#libs/platform';

/** How long a client may take: slow ones hold no connection. */
const SERVER_LIMITS = {
  /** From the opening of a connection, or the first byte of a later request, to the end of the headers. */
  headersMs: 10_000,
  /** From the same moment to the end of the body. */
  requestMs: 30_000,
  /** Without a byte in either direction while an answer is computed or read; no answer takes that long. */
  silenceMs: 60_000,
  /**
   * Between an answer and the next request. Longer than proxies keep idle connections (nginx and AWS 60 s, Traefik
   * 90 s, Caddy 120 s): the side that sends requests has to close first.
   */
  keepAliveMs: 125_000,
  /** How often the first two are checked, so they may be exceeded by this much. */
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
  server.prependListener('request', cutPipelines);
}

/** No proxy or browser sends another request before the answer; a client may, for all calls of an account at once. */
const MAX_UNANSWERED = 100;

const unanswered = new RequestMember<number>();

/** Cuts a connection with too many requests in a row: Node reads on, and holds each until those before are answered. */
function cutPipelines({ socket }: IncomingMessage, response: ServerResponse): void {
  const count = (unanswered.get(socket) ?? 0) + 1;
  unanswered.set(socket, count);
  response.once('close', countAnswered);
  if (count > MAX_UNANSWERED) socket.destroy();
}

function countAnswered(this: ServerResponse): void {
  const { socket } = this.req;
  unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1);
}

/** A request target must not have a fragment (RFC 9112 §3.2), and routers disagree about its meaning. */
function refuseFragments(request: IncomingMessage) {
  if (request.url?.includes('#')) request.url = '*';
}

const MAX_SMALL_PIECES = 1_000;
const SMALL_BYTES = 64;

interface Arrived {
  pieces: number;
  bytes: number;
}

const bodies = new RequestMember<Arrived>();

/**
 * Cuts the connection of a body that arrives in thousands of tiny chunks, whether it is being read or not: the
 * overhead of each chunk exceeds its content. No regular client does this, and there is no answer: the rest of the
 * body would have to be read first.
 */
function cutTinyPieces(request: IncomingMessage): void {
  // A shared function: a closure would keep its request alive until a full garbage collection.
  request.push = pushCounted;
}

function pushCounted(this: IncomingMessage, piece: Buffer | null): boolean {
  if (piece === null) return IncomingMessage.prototype.push.call(this, piece);
  const arrived = bodies.get(this) ?? { pieces: 0, bytes: 0 };
  bodies.set(this, arrived);
  arrived.pieces += 1;
  arrived.bytes += piece.length;
  if (arrived.pieces <= MAX_SMALL_PIECES + arrived.bytes / SMALL_BYTES) {
    return IncomingMessage.prototype.push.call(this, piece);
  }
  this.destroy();
  return false;
}
