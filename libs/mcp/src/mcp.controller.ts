import { isJsonContentType } from '@modelcontextprotocol/server';
import {
  Controller,
  Get,
  NotFoundException,
  Post,
  Req,
  Res,
  UseFilters,
  UseGuards,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  AllowRoutedMethods,
  checkAgain,
  ErrorFormat,
  ownOriginOf,
  readBytes,
  RefusalError,
} from '#libs/accounts';
import {
  type Access,
  accessOf,
  accountOf,
  AdmitMachines,
  BearerErrorFilter,
  BearerGuard,
  BearerTokensService,
  DecideByCall,
  oauthErrorBody,
} from '#libs/oauth';
import { AccountTurns, currentWork, SHORT_WAIT_MS } from '#libs/platform';
import {
  asEvent,
  batchAnswer,
  EventStream,
  type HttpAnswer,
  httpAnswer,
  jsonOf,
} from './answer.js';
import { callerOf, holderOf, type LookAgain } from './call.js';
import { type CallSlots, CallLimiter } from './call-limit.js';
import { CancelledCallsService } from './cancellation.js';
import { JsonRpcErrorFilter, SERVER_ERROR } from './errors.js';
import {
  type AcceptedTypes,
  MAX_MESSAGE_BYTES,
  type McpAnswer,
  parsePosted,
  readMessages,
} from './message.js';
import { McpServerService, type PostContext } from './mcp-server.service.js';
import { requireArgumentHeaders } from './message-headers.js';
import { type Subscription, SubscriptionsService } from './subscription.service.js';

interface Exchange {
  readonly request: Request;
  readonly slots: CallSlots;
  readonly stream: EventStream;
}

/** Of errors that JsonRpcErrorFilter does not answer: refusals before any route, and outages. */
const MCP_ERRORS: ErrorFormat = {
  bodyOf: ({ isExpected, ...failure }) =>
    isExpected && failure.status === 503
      ? { jsonrpc: '2.0', id: null, error: { code: SERVER_ERROR, message: failure.message } }
      : oauthErrorBody(failure),
};

/** Clients look for metadata below the endpoint, too, and take 401 for a server without. Comes before McpController. */
@Controller()
export class McpDiscoveryController {
  @Get('svc/mcp/{*base/}.well-known{/*path}')
  none(): never {
    throw new NotFoundException();
  }
}

/**
 * The hosted MCP endpoint (contract: MCP endpoint): POST with a token, since there are no sessions to stream or to
 * end. A foreign `Origin` is allowed: DNS rebinding exploits credentials that a browser sends by itself, and here
 * there are none. `Host` was checked before.
 */
@Controller()
@AllowRoutedMethods({ also: ['OPTIONS'] })
@UseGuards(BearerGuard)
@AdmitMachines()
@DecideByCall()
@UseFilters(BearerErrorFilter, JsonRpcErrorFilter)
@ErrorFormat(MCP_ERRORS)
export class McpController {
  constructor(
    private readonly limiter: CallLimiter,
    private readonly turns: AccountTurns,
    private readonly server: McpServerService,
    private readonly cancelled: CancelledCallsService,
    private readonly subscriptions: SubscriptionsService,
    private readonly tokens: BearerTokensService,
  ) {}

  @Post(['svc/mcp', 'svc/mcp/{*path}'])
  async exchange(@Req() request: Request, @Res() response: Response): Promise<void> {
    // 1. The token (RFC 6750), then the method: the guards have answered 401 and 405.
    const access = accessOf(request);
    const account = accountOf(access);
    // 2. Calls in progress: 429 beyond 32 of the account on this replica.
    const stream = new EventStream(response);
    const slots = this.limiter.acquire(account, () => stream.cut());
    stream.onEnd(() => slots.release());
    // 3. The content type: 415.
    if (!isJsonContentType(request.headers['content-type'] ?? null)) {
      throw new RefusalError(415, 'the body has to be application/json');
    }
    // 4. to 9.
    const answer = await this.answerTo({ request, slots, stream });
    // 10. The answer: a stream of changes, or one document.
    if (!answer) {
      // Nothing is left to do for a client that has left.
      if (slots.isOver) currentWork()?.end();
      return;
    }
    if ('lists' in answer) {
      return this.subscriptions.serve(answer, account, stream, this.lookAgain(request));
    }
    if (answer.type !== undefined) response.setHeader('Content-Type', answer.type);
    // Node sends headers and a string body in one write, but a Buffer in a second one.
    response.status(answer.status).end(answer.text);
  }

  /** Undefined without a client or after events. A method, so that a long stream keeps no reference to the message. */
  private async answerTo(exchange: Exchange): Promise<HttpAnswer | Subscription | undefined> {
    const { slots, stream } = exchange;
    const read = await this.read(exchange);
    if (!read) return undefined;
    const { messages, accepts, ...context } = read;
    const { caller } = context;
    const { request } = exchange;
    // 9. Requests: the SDK answers each; `CallsService` runs the tools, resources and prompts that step 6 found.
    const post: PostContext = {
      ...context,
      slots,
      stream,
      lookAgain: this.lookAgain(request),
      acceptsEvents: !messages.isBatch && accepts.events(),
      isBatch: messages.isBatch,
    };
    const inType = (answer: HttpAnswer) =>
      accepts.events() && !accepts.json() ? asEvent(answer) : answer;
    if (messages.isBatch) {
      const answers = await this.server.answer(messages, post, (answer) => kept(answer, slots));
      return slots.isOver ? undefined : inType(batchAnswer(answers));
    }
    const [first] = await this.server.answer(messages, post, (answer) => answer);
    if (slots.isOver) return undefined;
    // The lists that change are those of people's pages.
    const subscription = caller.user && this.subscriptions.wantedBy(messages, first, caller);
    if (subscription) return subscription;
    if (!stream.hasBegun) return inType(httpAnswer(messages, first));
    stream.end(first && jsonOf(first));
    return undefined;
  }

  /** Undefined without a client. A method, so that a long call keeps nothing of its message but its input. */
  private async read({ request, slots }: Exchange) {
    const { headers } = request;
    // 4. The body: 413 beyond 512 KiB; 400 for too many members, elements or levels, and unless it is JSON.
    const length = headers['content-length'];
    let waitedMs = 0;
    const bytes = await readBytes(request, MAX_MESSAGE_BYTES, length, {
      toRead: slots.turnToRead(length),
      toUse: async () => {
        slots.isRead();
        waitedMs = await this.turns.take(accountOf(accessOf(request)));
      },
    });
    if (slots.isOver) return undefined;
    const { body, weight } = parsePosted(bytes);
    if (waitedMs > SHORT_WAIT_MS) await checkAgain(request);
    if (slots.isOver) return undefined;
    // 5. The calls of a batch, or a stream: 400, 429 and 503 beyond the limits.
    slots.takeFor(body, weight);
    // 6. The scopes: 403, before anything of the request is done.
    const { caller, from, callables } = await this.authorize(request, body);
    if (slots.isOver) return undefined;
    // 7. The protocol's own checks of messages and headers: 400 and 406.
    const accepts = acceptedTypesOf(request);
    const messages = readMessages(body, headers, accepts);
    if (messages.era === 'modern') requireArgumentHeaders(headers, callables, messages.requests);
    // 8. Notifications: calls that they name are cancelled.
    this.cancelled.cancelFor(holderOf(caller), body);
    return { messages, accepts, caller, callables, from };
  }

  /** Calls and streams outlast their token, and end with its grant. Keeps nothing of the request. */
  private lookAgain(request: Request): LookAgain {
    const access = accessOf(request);
    return async () => {
      const now = await this.tokens.lookAgain(access);
      return now && callerOf(now);
    };
  }

  /** As its person allows it now: that may have changed while the message came and waited, and may while this waits. */
  private async authorize(request: Request, body: unknown) {
    for (;;) {
      const access = accessOf(request);
      const caller = callerOf(access);
      const from = { clientId: access.clientId, origin: ownOriginOf(request).origin };
      const startedAt = performance.now();
      const callables = await this.server.authorize(body, caller, from);
      const isLong = performance.now() - startedAt > SHORT_WAIT_MS;
      if (isLong) await checkAgain(request);
      if (!isLong || isSame(accessOf(request), access)) return { caller, from, callables };
    }
  }
}

/** An answer of a batch until the last one is there, as text: what it was made of takes up to twenty times as much. */
function kept(answer: McpAnswer, slots: CallSlots): string {
  const text = jsonOf(answer);
  if (slots.keep(text)) return text;
  const error = { code: SERVER_ERROR, message: TOO_MUCH };
  return jsonOf({ jsonrpc: '2.0', id: answer.id, error });
}

const TOO_MUCH =
  'the answers to this batch take too much memory: this one is left out, whatever was done; send fewer messages at once';

/** Functions of two look-ups always differ. */
const isSame = (one: Access, other: Access) => JSON.stringify(one) === JSON.stringify(other);

/** What `Accept` says (RFC 9110 §12.5.1). Events only where they are named: clients that read none send any type. */
const acceptedTypesOf = ({ headers: { accept = '*/*' } }: Request): AcceptedTypes => {
  const ranges = accept.toLowerCase().split(',');
  const accepts = (...types: string[]) => {
    const range = types
      .flatMap((type) => ranges.find((entry) => entry.split(';')[0]?.trim() === type) ?? [])
      .at(0);
    return range !== undefined && !ZERO_WEIGHT.test(range);
  };
  return {
    json: () => accepts('application/json', 'application/*', '*/*'),
    events: () => accepts('text/event-stream'),
  };
};

const ZERO_WEIGHT = /;\s*q\s*=\s*0(?:\.0*)?\s*(?:;|$)/;
