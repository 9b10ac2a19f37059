import {
  type CompleteRequestParams,
  type Implementation,
  type JSONRPCMessage,
  type JSONRPCRequest,
  PerRequestHTTPServerTransport,
  type RequestId,
  Server,
  type ServerContext,
  type ServerOptions,
  type ServerResult,
  specTypeSchemas,
  SUBSCRIPTION_ID_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type { EventStream } from './answer.js';
import type { CallSlots } from './call-limit.js';
import { type AnyMcpCaller, type Callable, holderOf, type McpFeature } from './call.js';
import { type CallOrigin, CallsService } from './call.service.js';
import { CancelledCallsService } from './cancellation.js';
import { shortText } from './errors.js';
import { McpFeaturesService } from './features.service.js';
import { MCP_OPTIONS, type McpOptions } from './mcp.module-definition.js';
import {
  type McpAnswer,
  type McpEra,
  MODERN_REVISION,
  type PostedMessages,
  type PostedRequest,
} from './message.js';
import { progressFor } from './progress.js';
import { presentedReply } from './question.js';
import { McpToolsService } from './tool.service.js';

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

/** The caller of posted messages, and what they may call. */
interface PostContext {
  readonly caller: AnyMcpCaller;
  readonly callables: readonly Callable[];
  readonly from: CallOrigin;
  readonly slots: CallSlots;
  readonly stream: EventStream;
  /** Whether the client accepts progress notifications in `stream`. */
  readonly acceptsEvents: boolean;
}

/** A request in progress, as handlers get it. */
interface OpenRequest extends PostContext, PostedRequest {
  readonly stop: AbortController;
}

/** Answers a request whose parameters the SDK has validated. */
type Handler = (
  params: Readonly<Record<string, unknown>>,
  open: OpenRequest,
  context: ServerContext,
) => Promise<ServerResult>;

/**
 * Answers requests with the SDK, each by a low-level server of its own, so that no data of one caller can reach
 * another. A server with only the handler of its request costs about 5 µs more than one that all requests share.
 * The SDK's own HTTP handler would cost 75 to 115 µs more than that, which is too much for `tools/call`
 * (measured: bench/README.md).
 */
@Injectable()
export class McpServerService implements OnApplicationBootstrap {
  private readonly logger = new Logger(McpServerService.name);
  private readonly handlers = new Map<string, Handler>();
  private readonly identity: Implementation;
  private serverOptions: Partial<Record<McpEra, ServerOptions>> = {};
  private machineOptions: Partial<Record<McpEra, ServerOptions>> = {};

  constructor(
    @Inject(MCP_OPTIONS) private readonly options: McpOptions,
    private readonly features: McpFeaturesService,
    private readonly tools: McpToolsService,
    private readonly calls: CallsService,
    private readonly cancelled: CancelledCallsService,
  ) {
    this.identity = identityOf(options);
  }

  /** Runs at bootstrap, after the features have found their tools, resources and prompts. */
  onApplicationBootstrap() {
    for (const feature of this.features.all) {
      if (feature.capabilities('legacy')) this.handle(feature);
    }
    if (this.features.haveSuggestions) {
      this.handlers.set('completion/complete', (params, { caller }) =>
        this.calls.answer('completion/complete', () =>
          this.features.complete(params as CompleteRequestParams, caller),
        ),
      );
    }
    const { instructions, machineInstructions } = this.options.server ?? {};
    this.serverOptions = this.optionsWith(instructions);
    this.machineOptions = this.optionsWith(machineInstructions ?? instructions);
  }

  /** Answers requests, and stops them when their exchange ends. Leaves out the answers of cancelled ones. */
  async answer({ era, requests }: PostedMessages, post: PostContext): Promise<McpAnswer[]> {
    const { caller, stream } = post;
    const pending = requests.map((request) => this.begin(era, request, post));
    const holder = holderOf(caller);
    const forget = pending.map(({ id, giveUp }) => this.cancelled.add(holder, id, giveUp));
    stream.onEnd(() => pending.forEach(({ giveUp }) => giveUp()));
    const answers = await Promise.all(pending.map(({ answer }) => answer));
    for (const one of forget) one();
    return answers.filter((answer) => answer !== undefined);
  }

  /** Passes a request to the SDK. `giveUp` may be called any number of times. */
  private begin(era: McpEra, request: PostedRequest, post: PostContext) {
    const { message } = request;
    const exchange = new McpExchange();
    const options = post.caller.user ? this.serverOptions : this.machineOptions;
    const server = new Server(this.identity, options[era]);
    const onerror = (error: Error) => this.logger.warn(shortText(String(error)));
    Object.assign(server, { onerror });
    const handler = this.handlers.get(message.method);
    const open: OpenRequest = { ...post, ...request, stop: exchange.stop };
    if (handler) {
      // The cast is for the types only: the SDK checks parameters and result by the actual method.
      server.setRequestHandler(message.method as 'ping', ({ params = {} }, context) => {
        open.stop.signal.throwIfAborted();
        return handler(params, open, context);
      });
    } else if (message.method === 'subscriptions/listen') {
      server.setRequestHandler(message.method, LISTEN, () => endOf(message.id));
    }
    const answer = exchange.serve(server, era, message);
    return { id: message.id, answer, giveUp: exchange.giveUp };
  }

  private handle(feature: McpFeature) {
    for (const [method, list] of Object.entries(feature.lists)) {
      this.handlers.set(method, (_params, { caller }) =>
        this.calls.answer(method, () => list(caller)),
      );
    }
    const { method, parameter } = feature.calledBy;
    this.handlers.set(method, async (params, open, context) => {
      const name = String(params[parameter]);
      const called = open.callables.find((one) => one.method === method && one.name === name);
      if (!called) throw feature.notFound(name);
      const { caller, from, slots, stream, acceptsEvents, stop, message } = open;
      return this.calls.call(called, open.input ?? params['arguments'] ?? {}, {
        caller,
        from,
        stop,
        reply: presentedReply(context),
        progress: progressFor(message, acceptsEvents ? stream : undefined),
        onWork: (work) => slots.keepFor(work),
      });
    });
  }

  private optionsWith(instructions: string | undefined) {
    return {
      modern: this.optionsOf('modern', [MODERN_REVISION], instructions),
      legacy: this.optionsOf('legacy', SUPPORTED_PROTOCOL_VERSIONS, instructions),
    };
  }

  private optionsOf(
    era: McpEra,
    supportedProtocolVersions: string[],
    instructions: string | undefined,
  ): ServerOptions {
    return {
      supportedProtocolVersions,
      instructions,
      capabilities: Object.assign(
        {},
        ...this.features.all.map((feature) => feature.capabilities(era)),
        this.features.haveSuggestions && { completions: {} },
        era === 'modern' && extensionsOf(this.options),
      ),
      jsonSchemaValidator: this.tools.validator,
    };
  }
}

/** Announced in `server/discover` (MCP 2026-07-28); clients of 2025 know no extensions. */
const extensionsOf = ({ extensions = [] }: McpOptions) =>
  extensions.length > 0 && {
    extensions: Object.fromEntries(extensions.map((name) => [name, {}])),
  };

const LISTEN = { params: specTypeSchemas.SubscriptionsListenRequestParams };

/** The result that ends a subscription. */
const endOf = (id: RequestId) => ({ _meta: { [SUBSCRIPTION_ID_META_KEY]: id } });

/** The identity of the server that clients show; every answer of 2026-07-28 contains it. */
const identityOf = ({
  serviceName,
  server: { version, websiteUrl, icons = [] } = { version: '0.0.0' },
}: McpOptions): Implementation => ({
  name: serviceName,
  title: serviceName,
  version,
  websiteUrl,
  ...(icons.length > 0 && { icons: icons.map((src) => ({ src })) }),
});
