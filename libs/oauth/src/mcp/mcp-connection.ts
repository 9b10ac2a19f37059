import type {
  JSONRPCErrorResponse,
  JSONRPCMessage,
  JSONRPCRequest,
  JSONRPCResultResponse,
  RequestId,
  Transport,
} from '@modelcontextprotocol/server';

export type McpAnswer = JSONRPCResultResponse | JSONRPCErrorResponse;

/** A request that somebody waits for. */
export interface OpenRequest<Asker> {
  /** As the client sent it, under the id that it chose. */
  readonly request: JSONRPCRequest;
  readonly asker: Asker;
  /** Aborted when nobody waits for it any more. */
  readonly stop: AbortController;
}

/** One request on its way through the library. */
export interface Asked {
  /** As the client chose it. */
  readonly id: RequestId;
  /** Undefined when it was given up before. */
  readonly answer: Promise<McpAnswer | undefined>;
  /** Stops it, and keeps nothing of it any more, where it was not answered yet. Any number of times. */
  readonly giveUp: () => void;
}

interface Waiting<Asker> extends OpenRequest<Asker> {
  readonly settle: (answer: McpAnswer | undefined) => void;
}

/**
 * The connection of a server that answers everybody. Clients choose the same ids, so each request goes on
 * under a number that no other ever has, and its answer, under the client's id again, to whoever asked
 * and nobody else. Whatever else the server would say has nobody to hear it.
 */
export class McpConnection<Asker> implements Transport {
  onmessage?: NonNullable<Transport['onmessage']>;
  private readonly open = new Map<RequestId, Waiting<Asker>>();
  private lastId = 0;

  ask(request: JSONRPCRequest, asker: Asker): Asked {
    const id = (this.lastId += 1);
    const stop = new AbortController();
    const { promise: answer, resolve: settle } = Promise.withResolvers<McpAnswer | undefined>();
    this.open.set(id, { request, asker, stop, settle });
    this.onmessage?.({ ...request, id });
    return { id: request.id, answer, giveUp: () => this.giveUp(id) };
  }

  /** What goes on under this number. @throws Error when it was given up */
  get(id: RequestId): OpenRequest<Asker> {
    const request = this.open.get(id);
    if (!request) throw new Error('nobody waits for this request any more');
    return request;
  }

  async start() {}

  async close() {}

  async send(message: JSONRPCMessage) {
    if ('method' in message || message.id === undefined) return;
    this.settle(message.id, message);
  }

  private giveUp(id: RequestId) {
    const stop = this.open.get(id)?.stop;
    this.settle(id, undefined);
    stop?.abort();
  }

  private settle(id: RequestId, answer: McpAnswer | undefined) {
    const waiting = this.open.get(id);
    if (!waiting) return;
    this.open.delete(id);
    waiting.settle(answer && { ...answer, id: waiting.request.id });
  }
}
