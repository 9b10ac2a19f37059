import type {
  JSONRPCErrorResponse,
  JSONRPCMessage,
  JSONRPCRequest,
  JSONRPCResultResponse,
  RequestId,
  Transport,
} from '@modelcontextprotocol/server';

export type McpAnswer = JSONRPCResultResponse | JSONRPCErrorResponse;

interface OpenRequest<Asker> {
  /** As the client chose it. */
  readonly clientId: RequestId;
  readonly asker: Asker;
  readonly settle: (answer: McpAnswer | undefined) => void;
}

/** One request on its way through the library. */
interface Asked {
  /** Undefined when it was given up before. */
  readonly answer: Promise<McpAnswer | undefined>;
  /** Keeps nothing of it any more. Any number of times. */
  readonly giveUp: () => void;
}

/**
 * The connection of a server that answers everybody. Clients choose the same ids, so each request goes on
 * under a number that no other ever has, and its answer, under the client's id again, to whoever asked
 * and nobody else. Whatever else the server would say has nobody to hear it.
 */
export class McpConnection<Asker> implements Transport {
  onmessage?: NonNullable<Transport['onmessage']>;
  private readonly open = new Map<RequestId, OpenRequest<Asker>>();
  private lastId = 0;

  ask(request: JSONRPCRequest, asker: Asker): Asked {
    const id = (this.lastId += 1);
    const { promise: answer, resolve: settle } = Promise.withResolvers<McpAnswer | undefined>();
    this.open.set(id, { clientId: request.id, asker, settle });
    this.onmessage?.({ ...request, id });
    return { answer, giveUp: () => this.settle(id, undefined) };
  }

  /** Who asked what goes on under this number. @throws Error when it was given up */
  get(id: RequestId): Pick<OpenRequest<Asker>, 'clientId' | 'asker'> {
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

  private settle(id: RequestId, answer: McpAnswer | undefined) {
    const request = this.open.get(id);
    if (!request) return;
    this.open.delete(id);
    request.settle(answer && { ...answer, id: request.clientId });
  }
}
