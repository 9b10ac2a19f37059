import { AsyncLocalStorage } from 'node:async_hooks';
import { IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { countUnread, isBodyCut } from '#libs/accounts';
import { RequestMember } from '#libs/platform';
import { upgradeOf } from '#libs/tab-hub';

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
  /** What requests that wait behind others of their connections take, of all connections. */
  waitingBytes: 32 * 1024 * 1024,
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
  const waiting = { bytes: 0, most: limits.waitingBytes };
  server.prependListener('request', (request, response) =>
    cutPipelines(request, response, waiting),
  );
}

/** No proxy or browser sends another request before the answer. A client that does gets its answers one by one. */
const MAX_UNANSWERED = 16;
/** Of the heads of those that wait: behind an answer that takes long, 15 of 16 KiB would keep 2 MiB. */
const MAX_HEAD_BYTES = 64 * 1024;
/** What a field of a head takes beside its text. */
const FIELD_BYTES = 64;
/** What a request that waits takes beside its head. */
const REQUEST_BYTES = 2 * 1024;

/** What those of all connections of a server take that came behind others. */
interface Waiting {
  bytes: number;
  readonly most: number;
}

/** The requests of a connection that are not answered. */
interface Pipeline {
  readonly waiting: Waiting;
  count: number;
  newest: ServerResponse | undefined;
  /** What they count for among those of all connections. */
  bytes: number;
}

const pipelines = new RequestMember<Pipeline | undefined>();
const countedBytes = new RequestMember<number>();
const answersBefore = new RequestMember<ServerResponse | undefined>();

/** Node parses and hands over all requests that one read brings: a connection with too many is cut. */
function cutPipelines(request: IncomingMessage, response: ServerResponse, waiting: Waiting): void {
  // It is refused behind another request, and its connection may live for days.
  if (upgradeOf(request)) return;
  const { socket } = request;
  const pipeline = pipelines.get(socket) ?? beginPipeline(socket, waiting);
  if (pipeline.newest) {
    answersBefore.set(request, pipeline.newest);
    const bytes = headBytes(request) + REQUEST_BYTES;
    countedBytes.set(request, bytes);
    count(pipeline, bytes);
  }
  pipeline.newest = response;
  pipeline.count += 1;
  response.once('close', countAnswered);
  const isOneTooMany = pipeline.bytes > 0 && waiting.bytes > waiting.most;
  if (isOneTooMany || pipeline.count > MAX_UNANSWERED || waitingHeads(request) > MAX_HEAD_BYTES) {
    cut(socket);
  }
}

function beginPipeline(socket: Socket, waiting: Waiting): Pipeline {
  const pipeline: Pipeline = { waiting, count: 0, newest: undefined, bytes: 0 };
  pipelines.set(socket, pipeline);
  socket.once('close', giveBack);
  return pipeline;
}

/** Answers that wait before an upgrade never close themselves. */
function giveBack(this: Socket): void {
  const pipeline = pipelines.get(this);
  if (pipeline) count(pipeline, -pipeline.bytes);
  pipelines.set(this, undefined);
}

function count(pipeline: Pipeline, bytes: number) {
  pipeline.bytes += bytes;
  pipeline.waiting.bytes += bytes;
}

/** The bytes of the heads from this request's on to that of the first one that waits. */
function waitingHeads(request: IncomingMessage): number {
  const before = answersBefore.get(request);
  return before ? headBytes(request) + waitingHeads(before.req) : 0;
}

function headBytes({ rawHeaders, url = '' }: IncomingMessage): number {
  return rawHeaders.join('').length + url.length + (rawHeaders.length / 2) * FIELD_BYTES;
}

function countAnswered(this: ServerResponse): void {
  const { req } = this;
  // A connection may be idle for long, or never: it keeps no answer, and none keeps those before.
  if (answersBefore.get(req)) answersBefore.set(req, undefined);
  const pipeline = pipelines.get(req.socket);
  if (!pipeline) return;
  count(pipeline, -(countedBytes.get(req) ?? 0));
  pipeline.count -= 1;
  if (pipeline.count === 0) pipeline.newest = undefined;
}

const PARSER_ERROR = -1;

/** Also stops the parser, which would go on with what was read: up to 2,500 requests for each connection. */
function cut(socket: Socket & { parser?: { onIncoming: () => number } | null }) {
  socket.destroy();
  if (socket.parser) socket.parser.onIncoming = () => PARSER_ERROR;
}

/**
 * Lets a pipelined request begin after the answer before it was sent, and in a later turn of the event loop: other
 * connections get theirs in between. Begun at once, 600 connections of 100 requests kept all others waiting for 15
 * seconds.
 */
export function oneByOne(
  request: IncomingMessage,
  _response: ServerResponse,
  next: () => void,
): void {
  const before = answersBefore.get(request);
  if (!before) return next();
  // The request before is no part of what this one runs in.
  const begin = AsyncLocalStorage.bind(() => {
    if (!request.socket.destroyed) next();
  });
  before.once('close', () => setImmediate(begin));
}

/** A request target must not have a fragment (RFC 9112 §3.2), and routers disagree about its meaning. */
function refuseFragments(request: IncomingMessage) {
  if (request.url?.includes('#')) request.url = '*';
}

const MAX_SMALL_PIECES = 1_000;
const SMALL_BYTES = 64;
/** What a piece takes beside its bytes. */
const PIECE_BYTES = 128;

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
  // After the answer, Node's own method would drop the rest of the body before it is counted.
  Object.assign(request, { _dump: discardCounted });
}

function discardCounted(this: IncomingMessage) {
  this.removeAllListeners('data').resume();
}

function pushCounted(this: IncomingMessage, piece: Buffer | null): boolean {
  if (isBodyCut(this)) {
    // Whole: its reader, if one comes, must not take it for an empty one.
    if (piece === null) this.destroy();
    return true;
  }
  if (piece === null) return IncomingMessage.prototype.push.call(this, piece);
  const arrived = bodies.get(this) ?? { pieces: 0, bytes: 0 };
  bodies.set(this, arrived);
  arrived.pieces += 1;
  arrived.bytes += piece.length;
  if (arrived.pieces <= MAX_SMALL_PIECES + arrived.bytes / SMALL_BYTES) {
    const takesMore = IncomingMessage.prototype.push.call(this, piece);
    countUnread(this, arrived.bytes + arrived.pieces * PIECE_BYTES);
    return takesMore;
  }
  this.destroy();
  return false;
}
