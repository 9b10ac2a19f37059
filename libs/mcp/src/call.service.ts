import { randomUUID } from 'node:crypto';
import {
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { type EventFacts, type SecurityEvent, SecurityEventsService } from '#libs/accounts';
import {
  type Attributes,
  currentRequestId,
  inSpan,
  isDatabaseOutage,
  isRedisOutage,
  SHORT_WAIT_MS,
} from '#libs/platform';
import {
  type AdmittedCall,
  type ApprovalContext,
  CallApprovalService,
} from './call-approval.service.js';
import {
  type AnyMcpCaller,
  type Callable,
  type CallNotes,
  type CallResult,
  holderOf,
  KINDS,
  type LookAgain,
  type ToolRun,
} from './call.js';
import { type CallRefusalReason, refuseByError, ToolError } from './errors.js';
import { MCP_OPTIONS, type McpOptions } from './mcp.module-definition.js';
import { isName } from './method-discovery.service.js';
import { InputRequired, type PresentedReply, QuestionsService } from './question.js';

/** Records a call and its outcome in a span (MCP and GenAI semantic conventions), without what a client chose. */
const recordCall = (called: Callable, work: () => Promise<Attempt>): Promise<Attempt> =>
  inSpan(
    () => ({ name: nameOf(called), kind: 'server', attributes: attributesOf(called) }),
    async (span) => {
      const attempt = await work();
      span?.set({ 'gatehouse.outcome': attempt.outcome });
      span?.end(errorTypeOf(attempt));
      return attempt;
    },
  );

/** Leaves out the name of a resource, since there may be any number of them. */
const nameOf = ({ method, label, name }: Callable) =>
  ({
    'tools/call': `${method} ${label}`,
    'prompts/get': `${method} ${name}`,
    'resources/read': method,
  })[method];

function attributesOf({ method, label, name }: Callable): Attributes {
  const all = { 'mcp.method.name': method, 'network.transport': 'tcp', 'gatehouse.called': label };
  if (method === 'prompts/get') return { ...all, 'gen_ai.prompt.name': name };
  if (method === 'resources/read') return all;
  return { ...all, 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': label };
}

/** `error.type` of the conventions: `tool_error` for an error result, else the code of the JSON-RPC error. */
function errorTypeOf({ outcome, answer }: Attempt): string | undefined {
  if (outcome !== 'refused' && outcome !== 'failed') return undefined;
  try {
    answer();
    return 'tool_error';
  } catch (error) {
    return String((error as { code?: unknown }).code);
  }
}

/** Below 60 s, after which proxies and this service close a connection that sent no byte. */
const MAX_CALL_MS = 50_000;
/** The least length of the service's tokens and secrets: 256 bits in base64url. */
const SECRET_CHARACTERS = 43;
const TIME_IS_UP = `This took longer than ${MAX_CALL_MS / 1_000} seconds and was stopped; ask for less at once.`;

class TimeIsUpError extends Error {
  override name = 'TimeoutError';
}

/** Stops the work of a call when its time is up. The time that it waits for a person does not count. */
class TimeLimit {
  pausedMs = 0;
  private timer = this.begin(MAX_CALL_MS);
  private readonly startedAt = performance.now();

  constructor(
    private readonly stop: AbortController,
    private readonly restarts: boolean,
  ) {}

  /** Afterwards the call has the whole time again if the limit `restarts`, else what was left of it. */
  async pauseFor<T>(waiting: () => Promise<T>): Promise<T> {
    this.end();
    const pausedAt = performance.now();
    try {
      return await waiting();
    } finally {
      const now = performance.now();
      this.pausedMs += now - pausedAt;
      const left = this.restarts ? MAX_CALL_MS : MAX_CALL_MS - (now - this.startedAt);
      this.timer = this.begin(Math.max(0, left));
    }
  }

  end(): void {
    clearTimeout(this.timer);
  }

  private begin(ms: number) {
    return setTimeout(() => this.stop.abort(new TimeIsUpError(TIME_IS_UP)), ms).unref();
  }
}

type Called = NonNullable<SecurityEvent['called']>;

export type CallOrigin = Pick<SecurityEvent, 'clientId' | 'origin'>;

/** The connection that a call is charged to, with its limit as it is when the work begins; a machine has none. */
type Charged = Parameters<NonNullable<McpOptions['measureCharges']>>[1];

interface CallContext {
  readonly caller: AnyMcpCaller;
  readonly from: CallOrigin;
  readonly reply: PresentedReply;
  /** Aborted when the call is cancelled or reaches its time limit. */
  readonly stop: AbortController;
  readonly progress: ToolRun['progress'];
  /** Called with the promise of the work, which may outlast the answer and never rejects. */
  readonly onWork: (work: Promise<unknown>) => unknown;
  /** Of the request that the call came with. */
  readonly slots: ApprovalContext['slots'];
  readonly isBatch: boolean;
  readonly lookAgain: LookAgain;
  /** Whether the client reads events, which keep its connection open beyond the time limit of one answer. */
  readonly acceptsEvents: boolean;
  /** Filled while the call runs. */
  readonly notes?: CallNotes;
}

/**
 * `asked`: the call has a question for the client. `refused`: its code refused it, or it reached the time limit.
 * `failed`: an unexpected error. `cancelled`: it ended after its client had stopped waiting.
 */
interface Attempt {
  readonly outcome: 'done' | 'asked' | 'refused' | 'failed' | 'cancelled';
  readonly answer: () => CallResult | InputRequiredResult;
  /** Of a refused one. */
  readonly reason?: CallRefusalReason;
}

/**
 * Performs calls. On an unexpected error the model gets one sentence and the log gets the details. Emits a
 * security event when the work of a call has ended, without its arguments and its result.
 */
@Injectable()
export class CallsService {
  private readonly logger = new Logger(CallsService.name);
  /** What fails because a storage is down: logged once, and again when it fails after it worked. */
  private readonly outages = new Set<string>();

  constructor(
    @Inject(MCP_OPTIONS) private readonly options: McpOptions,
    private readonly events: SecurityEventsService,
    private readonly questions: QuestionsService,
    private readonly approvals: CallApprovalService,
  ) {}

  /**
   * Performs a call that its caller is authorized for. Resolves when it has ended or is stopped, even if its code
   * ignores the signal. @throws ProtocolError for a state of another call, and what the callable refuses with
   */
  async call(callable: Callable, input: unknown, context: CallContext) {
    const { caller, stop, onWork, notes = {} } = context;
    const { method, name } = callable;
    const owner = { grantId: holderOf(caller), method, name, input };
    const reply = this.questions.open(context.reply, owner);
    const limit = new TimeLimit(stop, context.acceptsEvents);
    const charged = caller.user && { id: caller.grantId, dailyCredits: caller.dailyCredits };
    const ask = (question: InputRequired): Attempt => {
      if (!caller.user) throw new ToolError(NO_PERSON, { reason: 'no person to ask' });
      const asked = this.questions.ask(question, reply, owner);
      return { outcome: 'asked', answer: () => asked };
    };
    let admitted: AdmittedCall = callable;
    let lookedAt = performance.now();
    const isStill = async (isAllowed: (now: AnyMcpCaller) => boolean | Promise<boolean>) => {
      if (performance.now() - lookedAt <= SHORT_WAIT_MS) return true;
      const now = await context.lookAgain();
      if (!now || !(await isAllowed(now))) return false;
      if (charged && now.user) Object.assign(charged, { dailyCredits: now.dailyCredits });
      lookedAt = performance.now();
      return true;
    };
    const isStillAllowed = () =>
      isStill((now) => this.approvals.isStillAllowed(callable, now, admitted));
    const expectAllowed = async () => {
      if (!(await isStillAllowed())) throw new ChangedMeanwhileError();
    };
    const perform = async (): Promise<Attempt> => {
      const { signal } = stop;
      const run = { ...reply, signal, progress: context.progress, notes, expectAllowed };
      if (this.approvals.concerns(callable, caller)) {
        const { progress, slots, isBatch, from } = context;
        const found = await this.approvals.admit(callable, input, caller, {
          origin: String(from.origin),
          reply,
          signal,
          progress,
          slots,
          isBatch,
          untimed: (waiting) => limit.pauseFor(waiting),
          expectAskable: async () => {
            const isAskable = (now: AnyMcpCaller) => this.approvals.mayBeAsked(callable, now);
            if (!(await isStill(isAskable))) throw new ChangedMeanwhileError();
          },
        });
        if (found instanceof InputRequired) return ask(found);
        admitted = found;
      }
      const { approval } = admitted;
      if (charged) Object.assign(charged, admitted.limit);
      if (approval) notes.approved = approval.isByPasskey ? 'passkey' : 'once';
      const output = await admitted.call(input, caller, run).catch(async (error: unknown) => {
        // What went wrong may tell of the pages that are open by now. One who has left is told nothing.
        const isTold = signal.aborted || error instanceof ChangedMeanwhileError;
        throw isTold || (await isStillAllowed()) ? error : untold(error, callable);
      });
      if (output instanceof InputRequired) {
        const asked = ask(output);
        if (approval) await this.approvals.giveBack(approval);
        return asked;
      }
      const result = callable.resultOf(output);
      return { outcome: 'done', answer: () => result };
    };
    const work = recordCall(callable, () =>
      this.work(callable, { ...context, notes, charged }, limit, perform),
    );
    onWork(work.finally(() => limit.end()));
    const { promise: stopped, resolve: end } = Promise.withResolvers<Attempt>();
    const endNow = () => end(ended(callable, stop.signal));
    stop.signal.addEventListener('abort', endNow, { once: true });
    try {
      const { answer } = await Promise.race([work, stopped]);
      return answer();
    } finally {
      // The signal lasts as long as the batch that the call came with, and would keep the result.
      stop.signal.removeEventListener('abort', endNow);
    }
  }

  /**
   * Emits an event for a call that did not begin. A client chooses the name of what does not exist: the event has the
   * name only if it is valid and shorter than a token or secret, which a client may have put there. Only what exists has
   * a `label`.
   */
  reportRefusal(
    called: Pick<Callable, 'method' | 'name'> & { readonly label: string | undefined },
    { caller, from }: Pick<CallContext, 'caller' | 'from'>,
    reason: string,
  ): void {
    const { method, name, label } = called;
    const shown = isName(name) && name.length < SECRET_CHARACTERS ? { name } : {};
    this.events.emit({
      ...from,
      type: 'call-refused',
      ...callerIn(caller),
      detail: `${label ?? shown.name ?? KINDS[method]}: ${reason}`,
      facts: { kind: KINDS[method], ...(label !== undefined && { tool: label }), ...shown, reason },
    });
  }

  /** Answers a request that is no call and emits no event. @throws ProtocolError without details for other errors */
  async answer<T>(method: string, work: () => Promise<T>): Promise<T> {
    try {
      const answer = await work();
      this.outages.delete(method);
      return answer;
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      return refuseByError(this.unexpected(method, error));
    }
  }

  private async work(
    callable: Callable,
    { caller, from, stop: { signal }, notes, charged }: CallContext & { charged: Charged },
    limit: TimeLimit,
    perform: () => Promise<Attempt>,
  ) {
    const { measureCharges = free } = this.options;
    const startedAt = performance.now();
    const { result: attempt, credits } = await measureCharges(
      () => this.attempt(callable, signal, perform),
      charged,
    );
    const durationMs = Math.round(performance.now() - startedAt - limit.pausedMs);
    const { label, method, shown } = callable;
    const called = {
      tool: label,
      outcome: attempt.outcome,
      kind: KINDS[method],
      name: notes?.name ?? shown.name,
      title: notes?.title ?? shown.title,
      page: notes?.page ?? null,
      approved: notes?.approved ?? null,
    };
    this.events.emit({
      ...from,
      type: 'tool-called',
      ...callerIn(caller),
      detail: `${called.tool}: ${called.outcome}${attempt.reason ? ` (${attempt.reason})` : ''}`,
      facts: factsOf(called, attempt.reason),
      called,
      spent: { credits, durationMs },
    });
    return attempt;
  }

  private async attempt(
    callable: Callable,
    signal: AbortSignal,
    perform: () => Promise<Attempt>,
  ): Promise<Attempt> {
    const { refuse } = callable;
    try {
      const attempt = await perform();
      this.outages.delete(callable.label);
      return signal.aborted ? ended(callable, signal) : attempt;
    } catch (error) {
      if (signal.aborted) return ended(callable, signal);
      if (error instanceof ProtocolError) {
        return { outcome: 'refused', answer: rethrow(error), reason: reasonOf(error, callable) };
      }
      if (error instanceof ToolError) {
        const { message, reason } = error;
        return { outcome: 'refused', answer: () => refuse(message), reason };
      }
      const sentence = this.unexpected(callable.label, error);
      return { outcome: 'failed', answer: () => refuse(sentence) };
    }
  }

  private unexpected(what: string, error: unknown) {
    const id = currentRequestId() ?? randomUUID();
    const isOutage = isDatabaseOutage(error) || isRedisOutage(error);
    if (!isOutage || !this.outages.has(what)) {
      const stack = error instanceof Error && !isOutage ? error.stack : undefined;
      this.logger.error(`request ${id}: ${what}: ${String(error)}`, stack);
    }
    if (isOutage) this.outages.add(what);
    return `Something went wrong here; it may work when tried again (request ${id}).`;
  }
}

const callerIn = (caller: AnyMcpCaller) => ({
  ...(caller.user ? { userId: caller.user.id, grantId: caller.grantId } : { userId: null }),
  app: caller.app,
});

const factsOf = (
  { page, approved, ...called }: Called,
  reason: CallRefusalReason | undefined,
): EventFacts => ({
  ...called,
  ...(reason && { reason }),
  ...(page && { page: page.host, pageTitle: page.title }),
  ...(approved && { approved }),
});

class ChangedMeanwhileError extends ToolError {
  constructor() {
    const message = 'What this app may do was changed while the call waited, so nothing was done.';
    super(message, { reason: 'no permission' });
  }
}

/** What a call failed with that an app is no longer allowed to know, but its person is. */
function untold(error: unknown, callable: Callable): unknown {
  if (error instanceof ToolError) return new ToolError(UNTOLD, { reason: error.reason });
  return error instanceof ProtocolError
    ? new ToolError(UNTOLD, { reason: reasonOf(error, callable) })
    : error;
}

const UNTOLD =
  'What this app may do was changed while the call was under way. It may have been done; how it ended is not told.';

const NO_PERSON = 'This has a question for a person, and a machine client has none to ask.';

const free = async <T>(work: () => Promise<T>) => ({ result: await work(), credits: 0 });

const rethrow = (error: Error) => () => {
  throw error;
};

const reasonOf = ({ code }: ProtocolError, { method }: Callable): CallRefusalReason => {
  if (code !== ProtocolErrorCode.InvalidParams) return 'refused by its code';
  return method === 'resources/read' ? 'not found' : 'bad arguments';
};

const ended = ({ refuse }: Callable, { reason }: AbortSignal): Attempt => ({
  answer: () => refuse(TIME_IS_UP),
  ...(reason instanceof TimeIsUpError
    ? { outcome: 'refused', reason: 'took too long' }
    : { outcome: 'cancelled' }),
});
