import { isJsonContentType } from '@modelcontextprotocol/server';
import { All, Controller, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AllowedMethods, ErrorFormat, ownOriginOf, readBytes, RefusalError } from '#libs/accounts';
import {
  type AccessGrant,
  accessGrantOf,
  BearerErrorFilter,
  BearerGuard,
  oauthErrorBody,
} from '#libs/oauth';
import { AccountTurns } from '#libs/platform';
import { EventStream, type HttpAnswer, httpAnswer, jsonOf } from './answer.js';
import { callerOf } from './call.js';
import { type CallSlots, CallLimiter } from './call-limit.js';
import { CancelledCallsService } from './cancellation.js';
import { JSON_RPC_CODES, JsonRpcErrorFilter } from './errors.js';
import { McpFeaturesService } from './features.service.js';
import {
  MAX_MESSAGE_BYTES,
  type McpAnswer,
  parsePosted,
  type PostedMessages,
  readMessages,
} from './message.js';
import { McpServerService, type PostContext } from './mcp-server.service.js';
import { requireArgumentHeaders } from './message-headers.js';
import { type Subscription, SubscriptionsService } from './subscription.service.js';

/** One exchange, and what was taken or made for it. */
interface Exchange {
  readonly request: Request;
  readonly grant: AccessGrant;
  readonly slots: CallSlots;
  readonly stream: EventStream;
}

/** Of errors that JsonRpcErrorFilter does not answer: refusals before any route, and outages. */
const MCP_ERRORS: ErrorFormat = {
  bodyOf: ({ isExpected, ...failure }) =>
    isExpected && failure.status === 503
      ? {
          jsonrpc: '2.0',
          id: null,
          error: { code: JSON_RPC_CODES.other, message: failure.message },
        }
      : oauthErrorBody(failure),
};

/**
 * The hosted MCP endpoint (contract: MCP endpoint). Requests of every method need a token; with one, only POST is
 * allowed, since there are no sessions to stream or to end.
 *
 * A foreign `Origin` is allowed: DNS rebinding exploits credentials that a browser sends by itself, and
 * here there are none. A page needs the token to send it, and `Host` was checked before.
 */
@Controller()
@UseGuards(BearerGuard)
@UseFilters(BearerErrorFilter, JsonRpcErrorFilter)
@ErrorFormat(MCP_ERRORS)
export class McpController {
  constructor(
    private readonly limiter: CallLimiter,
    private readonly turns: AccountTurns,
    private readonly features: McpFeaturesService,
    private readonly server: McpServerService,
    private readonly cancelled: CancelledCallsService,
    private readonly subscriptions: SubscriptionsService,
  ) {}

  @All(['svc/mcp', 'svc/mcp/{*path}'])
  @AllowedMethods(['POST', 'OPTIONS'])
  async exchange(@Req() request: Request, @Res() response: Response): Promise<void> {
    // BearerGuard has answered 401, then AllowedMethods 405.
    const grant = accessGrantOf(request);
    await this.turns.take(grant.user.id);
    // 429: 32 calls of the account are under way on this replica.
    const slots = this.limiter.acquire(grant.user.id);
    const stream = new EventStream(response);
    stream.onEnd(() => slots.release());
    if (!isJsonContentType(request.headers['content-type'] ?? null)) {
      throw new RefusalError(415, 'the body has to be application/json');
    }
    const answer = await this.answerTo({ request, grant, slots, stream });
    if (!answer) return;
    if ('lists' in answer) return this.subscriptions.serve(answer, grant.user.id, stream);
    if (answer.type !== undefined) response.setHeader('Content-Type', answer.type);
    // Node sends headers and a string body in one write, but a Buffer in a second one.
    response.status(answer.status).end(answer.text);
  }

  /**
   * Undefined when the client no longer waits for the answer, or when the answer was sent as events. A method of its
   * own, so that a listening stream, which stays open for long, keeps no reference to the body.
   */
  private async answerTo(exchange: Exchange): Promise<HttpAnswer | Subscription | undefined> {
    const { request, grant, slots, stream } = exchange;
    const { headers } = request;
    // 413 for more than 512 KiB; 400 for too many members, elements or levels, and for what is no JSON.
    const bytes = await readBytes(request, MAX_MESSAGE_BYTES, headers['content-length']);
    await this.turns.take(grant.user.id);
    if (slots.isOver) return undefined;
    const body = parsePosted(bytes);
    // 429 for a batch or a stream beyond the limit.
    slots.takeFor(body);
    const caller = callerOf(grant);
    // 403 for a missing scope, before anything of the request is done.
    const callables = await this.features.authorize(body, caller);
    // 400 and 406: the protocol's own checks of messages and headers.
    const acceptsJson = () => request.accepts('application/json') !== false;
    const messages = readMessages(body, headers, acceptsJson);
    if (messages.era === 'modern') requireArgumentHeaders(headers, callables, messages.requests);
    this.cancelled.cancelFor(grant.grantId, body);
    const acceptsEvents = headers.accept?.includes('text/event-stream') ?? false;
    const answers = await this.answersTo(messages, exchange, {
      caller,
      callables,
      from: { clientId: grant.clientId, origin: ownOriginOf(request).origin },
      slots,
      stream: acceptsEvents && !messages.isBatch ? stream : undefined,
    });
    // The answer: as a stream of changes, as one JSON document, or at the end of the events that were begun.
    const [first] = answers;
    if (slots.isOver) return undefined;
    const subscription = this.subscriptions.wantedBy(messages, first);
    if (subscription) return subscription;
    if (!stream.hasBegun) return httpAnswer(messages, answers);
    stream.end(first && jsonOf(first));
    return undefined;
  }

  /** Leaves out the answers of cancelled requests. */
  private async answersTo(
    { era, requests }: PostedMessages,
    { grant, stream }: Exchange,
    context: PostContext,
  ): Promise<McpAnswer[]> {
    const pending = requests.map((request) => this.server.begin(era, request, context));
    const forget = pending.map(({ id, giveUp }) => this.cancelled.add(grant.grantId, id, giveUp));
    stream.onEnd(() => pending.forEach(({ giveUp }) => giveUp()));
    const answers = await Promise.all(pending.map(({ answer }) => answer));
    for (const one of forget) one();
    return answers.filter((answer) => answer !== undefined);
  }
}
