import { isDeepStrictEqual } from 'node:util';
import {
  type CompleteRequestParams,
  type CompleteResult,
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
import { expectScopes } from '#libs/oauth';
import { SHORT_WAIT_MS } from '#libs/platform';
import type { EventStream } from './answer.js';
import type { CallSlots } from './call-limit.js';
import {
  type AnyMcpCaller,
  type Callable,
  holderOf,
  type LookAgain,
  type McpFeature,
} from './call.js';
import { type CallOrigin, CallsService } from './call.service.js';
import { CancelledCallsService } from './cancellation.js';
import { refuseByError, shortText } from './errors.js';
import { MAX_LIST_BYTES, pageOf } from './list-page.js';
import { MCP_OPTIONS, type McpOptions } from './mcp.module-definition.js';
import {
  type McpAnswer,
  type McpEra,
  MODERN_REVISION,
  paramsIn,
  type PostedMessages,
  type PostedRequest,
} from './message.js';
import { inOneSentence } from './message-problem.js';
import { progressFor } from './progress.js';
import { McpPromptsService } from './prompt.service.js';
import { presentedReply } from './question.js';
import { McpResourcesService } from './resource.service.js';
import { McpToolsService } from './tool.service.js';

/**
 * Runs one request through an SDK server that exists only for this request. It keeps no reference to the server
 * or the message, because `giveUp` may be kept for as long as a stream is open.
 */
export class McpExchange<Answer = McpAnswer> {
  /** Aborted when the client no longer waits for the answer. */
  readonly stop = new AbortController();
  private readonly answer = Promise.withResolvers<Answer | undefined>();

  /** `finish` makes of an answer what is kept of it; it goes with the request, which it may refer to. */
  constructor(private finish: ((answer: McpAnswer) => Answer) | undefined) {}

  async serve(server: Server, era: McpEra, message: JSONRPCRequest) {
    const transport = new AnswerTransport(era, (answer) => this.settle(answer));
    await server.connect(transport);
    if (this.finish) transport.onmessage?.(message);
    return this.answer.promise;
  }

  /** Stops the request unless it is answered. May be called any number of times. */
  readonly giveUp = (): void => {
    if (!this.finish) return;
    this.settle(undefined);
    this.stop.abort();
  };

  private settle(answer: McpAnswer | undefined) {
    const { finish } = this;
    this.finish = undefined;
    try {
      this.answer.resolve(answer && finish?.(answer));
    } catch (error) {
      this.answer.reject(error);
    }
  }
}

/** The SDK's transport for one request, answered with a message: a `Response` takes longer than the rest of the call. */
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

export interface PostContext {
  readonly caller: AnyMcpCaller;
  readonly callables: readonly Callable[];
  readonly from: CallOrigin;
  readonly slots: CallSlots;
  readonly stream: EventStream;
  readonly lookAgain: LookAgain;
  /** Whether the client accepts progress notifications in `stream`. */
  readonly acceptsEvents: boolean;
  readonly isBatch: boolean;
}

interface RunningRequest extends PostContext, PostedRequest {
  readonly stop: AbortController;
  /** For the entries of a list in its answer. */
  readonly maxListBytes: number;
}

const MAX_SUGGESTIONS = 100;

type Handler = (
  params: Readonly<Record<string, unknown>>,
  open: RunningRequest,
  context: ServerContext,
) => Promise<ServerResult>;

/**
 * Answers requests with the SDK, each by a low-level server of its own, so that no data of one caller can reach
 * another: about 5 µs more than a shared one. The SDK's own HTTP handler would cost 75 to 115 µs more than that
 * (bench/README.md).
 */
@Injectable()
export class McpServerService implements OnApplicationBootstrap {
  private readonly logger = new Logger(McpServerService.name);
  private readonly handlers = new Map<string, Handler>();
  private readonly features: readonly McpFeature[];
  private readonly identity: Implementation;
  private serverOptions: Partial<Record<McpEra, ServerOptions>> = {};
  private machineOptions: Partial<Record<McpEra, ServerOptions>> = {};

  constructor(
    @Inject(MCP_OPTIONS) private readonly options: McpOptions,
    private readonly tools: McpToolsService,
    private readonly resources: McpResourcesService,
    private readonly prompts: McpPromptsService,
    private readonly calls: CallsService,
    private readonly cancelled: CancelledCallsService,
  ) {
    this.features = [tools, resources, prompts];
    this.identity = identityOf(options);
  }

  /** Runs at bootstrap, after the features have found their tools, resources and prompts. */
  onApplicationBootstrap() {
    for (const feature of this.features) {
      if (feature.capabilities('legacy')) this.handle(feature);
    }
    if (this.haveSuggestions) {
      this.handlers.set('completion/complete', (params, open) =>
        this.calls.answer('completion/complete', () =>
          readFor(open, (caller) => this.complete(params as CompleteRequestParams, caller)),
        ),
      );
    }
    const { instructions, machineInstructions } = this.options.server ?? {};
    this.serverOptions = this.optionsOf(instructions);
    this.machineOptions = this.optionsOf(machineInstructions ?? instructions);
  }

  /**
   * Finds the targets that a message or batch calls, without unknown names, and checks the caller's scopes.
   * @throws BearerError insufficient_scope
   */
  async authorize(body: unknown, caller: AnyMcpCaller, from: CallOrigin) {
    const found: Callable[] = [];
    for (const feature of this.features) {
      found.push(...(await feature.find(namesIn(body, feature.calledBy), caller)));
    }
    // Of an app that may ask, calls beyond its scopes become requests to its person.
    const mayAskFor = (scope: string) => caller.user !== undefined && caller.mayAskFor(scope);
    const lacks = (scope: string | undefined): scope is string =>
      scope !== undefined && !caller.scopes.includes(scope) && !mayAskFor(scope);
    for (const callable of found) {
      const { scope } = callable;
      if (lacks(scope)) this.calls.reportRefusal(callable, { caller, from }, `needs ${scope}`);
    }
    const needed = found.map(({ scope }) => scope).filter(lacks);
    expectScopes(needed, caller.scopes, this.options.scopes);
    return found;
  }

  /**
   * Answers requests, and stops them when their exchange ends. Leaves out the answers of cancelled ones. Keeps what
   * `finish` makes of each answer until the last one is there.
   */
  async answer<Answer>(
    { era, requests }: PostedMessages,
    post: PostContext,
    finish: (answer: McpAnswer) => Answer,
  ): Promise<Answer[]> {
    const { caller, stream } = post;
    const maxListBytes = MAX_LIST_BYTES / requests.length;
    const pending = requests.map((request) =>
      this.begin(era, { ...request, maxListBytes }, post, finish),
    );
    const holder = holderOf(caller);
    const unregistering = pending.map(({ id, giveUp }) => this.cancelled.add(holder, id, giveUp));
    stream.onEnd(() => pending.forEach(({ giveUp }) => giveUp()));
    const answers = await Promise.all(pending.map(({ answer }) => answer));
    for (const unregister of unregistering) unregister();
    return answers.filter((answer) => answer !== undefined);
  }

  private begin<Answer>(
    era: McpEra,
    request: PostedRequest & Pick<RunningRequest, 'maxListBytes'>,
    post: PostContext,
    finish: (answer: McpAnswer) => Answer,
  ) {
    const { message } = request;
    let isValid = false;
    const exchange = new McpExchange((response) =>
      finish(isValid ? response : inOneSentence(response, message)),
    );
    const options = post.caller.user ? this.serverOptions : this.machineOptions;
    const server = new Server(this.identity, options[era]);
    const onerror = (error: Error) => this.logger.warn(shortText(String(error)));
    Object.assign(server, { onerror });
    const handler = this.handlers.get(message.method);
    const open: RunningRequest = { ...post, ...request, stop: exchange.stop };
    if (handler) {
      // The cast is for the types only: the SDK checks parameters and result by the actual method.
      server.setRequestHandler(message.method as 'ping', ({ params = {} }, context) => {
        isValid = true;
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
    for (const [method, { member, entriesFor }] of Object.entries(feature.lists)) {
      // The requests of a batch have one caller object: their list is read once.
      const lists = new WeakMap<AnyMcpCaller, ReturnType<typeof entriesFor>>();
      this.handlers.set(method, ({ cursor }, { caller, maxListBytes, lookAgain }) =>
        this.calls.answer(method, async (): Promise<object> => {
          const all = await readFor({ caller, lookAgain }, (reader) => {
            const list = lists.get(reader) ?? entriesFor(reader);
            lists.set(reader, list);
            return list;
          });
          const { entries, ...next } = pageOf(method, all, cursor, maxListBytes);
          return { [member]: entries, ...next };
        }),
      );
    }
    const { method, parameter } = feature.calledBy;
    this.handlers.set(method, async (params, open, context) => {
      const name = String(params[parameter]);
      const called = open.callables.find((known) => known.method === method && known.name === name);
      if (!called) {
        const known = feature.labelOf(name);
        const why = known === undefined ? 'does not exist' : 'is not offered to this caller';
        this.calls.reportRefusal({ method, name, label: known }, open, why);
        throw feature.notFound(name);
      }
      const { slots, stream, acceptsEvents, message } = open;
      return this.calls.call(called, open.input ?? params['arguments'] ?? {}, {
        ...open,
        reply: presentedReply(context),
        progress: progressFor(message, acceptsEvents ? stream : undefined),
        onWork: (work) => slots.keepFor(work),
      });
    });
  }

  private get haveSuggestions(): boolean {
    return this.prompts.haveValues || this.resources.haveAccounts;
  }

  /** Values that a client may suggest for an argument of a prompt or a variable of a uri. */
  private async complete({ ref, argument }: CompleteRequestParams, caller: AnyMcpCaller) {
    const [feature, name] =
      ref.type === 'ref/prompt' ? [this.prompts, ref.name] : [this.resources, ref.uri];
    const all = await feature.valuesOf(name, argument.name, caller);
    if (!all) throw feature.notFound(name);
    const values = all.filter((value) => value.startsWith(argument.value));
    const { length: total } = values;
    const hasMore = total > MAX_SUGGESTIONS;
    const completion = { values: values.slice(0, MAX_SUGGESTIONS), total, hasMore };
    return { completion } satisfies CompleteResult;
  }

  private optionsOf(instructions: string | undefined): Record<McpEra, ServerOptions> {
    const optionsIn = (era: McpEra, supportedProtocolVersions: string[]) => ({
      supportedProtocolVersions,
      instructions,
      capabilities: Object.assign(
        {},
        ...this.features.map((feature) => feature.capabilities(era)),
        this.haveSuggestions && { completions: {} },
        era === 'modern' && extensionsOf(this.options),
      ),
      jsonSchemaValidator: this.tools.validator,
    });
    return {
      modern: optionsIn('modern', [MODERN_REVISION]),
      legacy: optionsIn('legacy', SUPPORTED_PROTOCOL_VERSIONS),
    };
  }
}

const ENDED = 'the access of this app has ended';

/** What `read` finds for a caller, who is looked up again where that took long. @throws ProtocolError */
async function readFor<T>(
  { caller, lookAgain }: Pick<PostContext, 'caller' | 'lookAgain'>,
  read: (caller: AnyMcpCaller) => Promise<T>,
): Promise<T> {
  for (let reader = caller; ;) {
    const startedAt = performance.now();
    const found = await read(reader);
    if (performance.now() - startedAt <= SHORT_WAIT_MS) return found;
    const now = (await lookAgain()) ?? refuseByError(ENDED);
    if (isDeepStrictEqual(now.scopes, reader.scopes)) return found;
    reader = now;
  }
}

export const namesIn = (body: unknown, { method, parameter }: McpFeature['calledBy']): string[] => [
  ...new Set(paramsIn(body, method, parameter).filter((name) => typeof name === 'string')),
];

/** Announced in `server/discover` (MCP 2026-07-28); clients of 2025 know no extensions. */
const extensionsOf = ({ extensions = [] }: McpOptions) =>
  extensions.length > 0 && { extensions: Object.fromEntries(extensions.map((name) => [name, {}])) };

const LISTEN = { params: specTypeSchemas.SubscriptionsListenRequestParams };

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
