import { Injectable } from '@nestjs/common';
import { AccountTurns } from '#libs/platform';
import type { AccessGrant } from '#libs/oauth';
import type { AccountCall } from './call-limit.js';
import { callerOf } from './call.js';
import { CancelledCallsService } from './cancellation.service.js';
import { type EventStream, type HttpAnswer, httpAnswer, jsonOf } from './answer.js';
import type { McpAnswer } from './mcp-exchange.js';
import { McpFeaturesService } from './features.service.js';
import { McpServerService, type PostContext } from './mcp-server.service.js';
import { parsePosted, type PostedHead, type PostedMessages, readMessages } from './message.js';
import { requireArgumentHeaders } from './message-headers.js';
import { type Subscription, SubscriptionsService } from './subscription.service.js';

/** A posted body, and everything needed to answer it. */
export interface Posted extends PostedHead {
  readonly readBody: () => Promise<Uint8Array>;
  readonly grant: AccessGrant;
  /** The origin of ours that the request was sent to. */
  readonly origin: string;
  readonly call: AccountCall;
  readonly stream: EventStream;
  /** Whether the client accepts an event stream. */
  readonly acceptsEvents: boolean;
  /** Registers a function to call when the client no longer waits for the answer. */
  readonly onEnd: (end: () => void) => void;
}

/** Answers one posted message or batch on behalf of one grant. */
@Injectable()
export class McpEndpointService {
  constructor(
    private readonly server: McpServerService,
    private readonly features: McpFeaturesService,
    private readonly turns: AccountTurns,
    private readonly cancelled: CancelledCallsService,
    private readonly subscriptions: SubscriptionsService,
  ) {}

  /**
   * Waits for the account's turn. Undefined when the client no longer waits for the answer, or when the
   * answer was sent as events.
   * @throws BearerError insufficient_scope, and RefusalError for a body that exceeds a limit or is no message
   * of the protocol, before anything is called
   */
  async answer(posted: Posted): Promise<HttpAnswer | undefined> {
    const answer = await this.answerOnce(posted);
    if (!answer || !('changing' in answer)) return answer;
    const { grant, stream, onEnd } = posted;
    await this.subscriptions.serve(answer, { userId: grant.user.id, stream, onEnd });
    return undefined;
  }

  /** A method of its own, so that a listening stream, which stays open for long, keeps no reference to the body. */
  private async answerOnce(posted: Posted): Promise<HttpAnswer | Subscription | undefined> {
    const { grant, call, origin, stream } = posted;
    const bytes = await posted.readBody();
    await this.turns.take(grant.user.id);
    if (call.isOver) return undefined;
    const body = parsePosted(bytes);
    call.becomes(body);
    const caller = callerOf(grant);
    const callables = await this.features.authorize(body, caller);
    const messages = readMessages(body, posted);
    if (messages.era === 'modern') requireArguments(messages, callables, posted);
    this.cancelled.cancelFor(grant.grantId, body);
    const context: PostContext = {
      caller,
      callables,
      from: { clientId: grant.clientId, origin },
      call,
      stream: posted.acceptsEvents && !messages.isBatch ? stream : undefined,
    };
    const answers = await this.answersTo(messages, context, posted);
    const [first] = answers;
    if (call.isOver) return undefined;
    const subscription = this.subscriptions.wantedBy(messages, first);
    if (subscription) return subscription;
    if (!stream.hasBegun) return httpAnswer(messages, answers);
    stream.end(first && jsonOf(first));
    return undefined;
  }

  /** Leaves out the answers of cancelled requests. */
  private async answersTo(
    { era, requests }: PostedMessages,
    context: PostContext,
    { grant, onEnd }: Posted,
  ): Promise<McpAnswer[]> {
    const asked = requests.map((request) => this.server.ask(era, request, context));
    const forget = asked.map(({ id, giveUp }) => this.cancelled.add(grant.grantId, id, giveUp));
    onEnd(() => asked.forEach(({ giveUp }) => giveUp()));
    const answers = await Promise.all(asked.map(({ answer }) => answer));
    for (const one of forget) one();
    return answers.filter((answer) => answer !== undefined);
  }
}

/** @throws JsonRpcError -32020 */
function requireArguments(
  { requests: [request] }: PostedMessages,
  callables: PostContext['callables'],
  { headers }: Posted,
) {
  const { inHeaders } = callables.find(({ method }) => method === 'tools/call') ?? {};
  if (!inHeaders || !request) return;
  requireArgumentHeaders(headers, inHeaders, { id: request.message.id, input: request.input });
}
