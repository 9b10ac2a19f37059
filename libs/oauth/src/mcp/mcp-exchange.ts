import {
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type JSONRPCResultResponse,
  PerRequestHTTPServerTransport,
  type Server,
} from '@modelcontextprotocol/server';

/** The revision that says with every request what others said once; those before it are of 2025. */
export const MODERN_REVISION = '2026-07-28';

/** How the SDK is to understand a message. */
export type McpEra = 'modern' | 'legacy';

export type McpAnswer = JSONRPCResultResponse | JSONRPCErrorResponse;

/**
 * One request's way through a server of the SDK that exists for this request alone. Nothing here holds the
 * server or the message: who can give the request up may keep this for as long as a stream is open.
 */
export class McpExchange {
  /** Aborted when no client waits for the answer any more. */
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

  /** Stops the request, unless it is answered. Any number of times. */
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
 * The SDK's transport for one request, which binds the server to the era; the answer is a message, not a
 * `Response`, whose making takes longer than the rest of the call.
 */
class AnswerTransport extends PerRequestHTTPServerTransport {
  constructor(
    era: McpEra,
    private readonly onAnswer: (answer: McpAnswer) => void,
  ) {
    const classification = era === 'modern' ? { era, revision: MODERN_REVISION } : { era };
    super({ classification });
  }

  /** Of what a server says, only the answer has a reader. */
  override async send(message: JSONRPCMessage): Promise<void> {
    if (!('method' in message) && message.id !== undefined) this.onAnswer(message);
  }
}
