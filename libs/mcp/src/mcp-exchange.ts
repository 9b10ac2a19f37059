import {
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type JSONRPCResultResponse,
  PerRequestHTTPServerTransport,
  type Server,
} from '@modelcontextprotocol/server';

/** The revision whose requests each carry what earlier ones, of 2025, sent once at initialization. */
export const MODERN_REVISION = '2026-07-28';

/** The protocol era by which the SDK interprets a message. */
export type McpEra = 'modern' | 'legacy';

export type McpAnswer = JSONRPCResultResponse | JSONRPCErrorResponse;

/**
 * Runs one request through an SDK server that exists only for this request. It keeps no reference to the server
 * or the message, because `giveUp` may be kept for as long as a stream is open.
 */
export class McpExchange {
  /** Aborted when the client no longer waits for the answer. */
  readonly stop = new AbortController();
  private readonly answer = Promise.withResolvers<McpAnswer | undefined>();
  private isOver = false;

  /** Resolves with undefined when the request is given up before it is answered. */
  async serve(
    server: Server,
    era: McpEra,
    message: JSONRPCRequest,
  ): Promise<McpAnswer | undefined> {
    const transport = new AnswerTransport(era, (answer) => this.settle(answer));
    await server.connect(transport);
    if (!this.isOver) transport.onmessage?.(message);
    return this.answer.promise;
  }

  /** Stops the request unless it is answered. May be called any number of times. */
  readonly giveUp = (): void => {
    if (this.isOver) return;
    this.settle(undefined);
    this.stop.abort();
  };

  private settle(answer: McpAnswer | undefined) {
    this.isOver = true;
    this.answer.resolve(answer);
  }
}

/**
 * The SDK's transport for one request, which binds the server to the era. It passes on the answer as a message
 * instead of a `Response`, because creating one takes longer than the rest of the call.
 */
class AnswerTransport extends PerRequestHTTPServerTransport {
  constructor(
    era: McpEra,
    private readonly onAnswer: (answer: McpAnswer) => void,
  ) {
    const classification = era === 'modern' ? { era, revision: MODERN_REVISION } : { era };
    super({ classification });
  }

  /** Passes on the answer and drops all other messages of the server. */
  override async send(message: JSONRPCMessage): Promise<void> {
    if (!('method' in message) && message.id !== undefined) this.onAnswer(message);
  }
}
