import { Injectable } from '@nestjs/common';
import { type Approval, ApprovalService } from '#libs/oauth';
import type { AnyMcpCaller, Callable, McpCaller } from './call.js';
import type { CallSlots } from './call-limit.js';
import { ToolError } from './errors.js';
import { elicitUrl, InputRequired, type QuestionReply } from './question.js';

/** Below the 60 s after which clients give a call up. */
const MAX_WAIT_MS = 45_000;
const PROGRESS_MS = 5_000;

/** The key of the question that sends the person to the request. */
const QUESTION = 'approval';

/** Screens the arguments of a call, free of charge, before its person is shown them; this one accepts all. */
export class CallScreening {
  static readonly portOf = 'mcp';

  /** @throws ToolError for content that is refused, or cannot be screened */
  async expectAllowed(_input: unknown, _caller: McpCaller): Promise<void> {}
}

export interface ApprovalContext {
  readonly origin: string;
  readonly reply: QuestionReply;
  readonly signal: AbortSignal;
  readonly progress: (done: number, total?: number, message?: string) => void;
  /** A call of a batch does not ask, since the others would wait for it. */
  readonly isBatch: boolean;
  /** The call's place among the parallel calls of its account, which it leaves while a person decides. */
  readonly slots: Pick<CallSlots, 'leave' | 'enter'>;
  /** Waits without using up the call's time limit. */
  readonly untimed: <T>(waiting: () => Promise<T>) => Promise<T>;
  /** @throws ToolError where the call has waited and its person could no longer be asked */
  readonly expectAskable: () => Promise<void>;
}

/** A call that may run. */
export interface AdmittedCall {
  readonly call: Callable['call'];
  /** The request that allowed it, once; undefined where it needed none. */
  readonly approval?: Approval | undefined;
  /** The request that allowed it and those that follow. */
  readonly always?: Approval | undefined;
  /** As it is after a call has waited; undefined where it did not wait. */
  readonly limit?: Pick<McpCaller, 'dailyCredits'> | undefined;
}

/** Decides whether a call may run: its person has allowed it, or is asked and allows it while the call waits. */
@Injectable()
export class CallApprovalService {
  constructor(
    private readonly approvals: ApprovalService,
    private readonly screening: CallScreening,
  ) {}

  /** False for a call that may run as it is, which most are: nothing is read for it. */
  concerns({ scope, subject, confirm = false }: Callable, caller: AnyMcpCaller): boolean {
    if (!caller.user) return confirm;
    if (caller.pausedBy || confirm || subject) return true;
    return scope !== undefined && permissionOf(scope, caller) !== 'allow';
  }

  /** Whether a call that was admitted may still run for its caller as it is now. */
  async isStillAllowed(
    { scope }: Callable,
    caller: AnyMcpCaller,
    { approval, always }: Pick<AdmittedCall, 'approval' | 'always'>,
  ): Promise<boolean> {
    if (scope === undefined) return true;
    // The token may be one whose own refresh left the scope out.
    if (always) return (await this.approvals.limitOf(always)) !== undefined;
    if (!caller.user) return caller.scopes.includes(scope);
    if (caller.pausedBy) return false;
    const permission = permissionOf(scope, caller);
    if (!approval) return permission === 'allow';
    const isAllowed = permission !== 'off' || caller.mayAskFor(scope);
    return isAllowed && (await this.approvals.isHeld(approval));
  }

  /** Whether the person of a call that does not run yet could still be asked about it. */
  mayBeAsked({ scope }: Callable, caller: AnyMcpCaller): boolean {
    if (!caller.user || caller.pausedBy || scope === undefined) return false;
    return permissionOf(scope, caller) !== 'off' || caller.mayAskFor(scope);
  }

  /**
   * The call as it may run, or a question that sends its person to the request. @throws ToolError for one that may
   * not, and what the callable refuses its arguments with
   */
  async admit(
    callable: Callable,
    input: unknown,
    caller: AnyMcpCaller,
    context: ApprovalContext,
  ): Promise<AdmittedCall | InputRequired> {
    if (!caller.user) throw new ToolError(NO_PERSON, { reason: 'no person to ask' });
    // 1. Whether the person has to say yes.
    if (caller.pausedBy) throw notPermitted(pausedSentence(caller));
    const { scope } = callable;
    if (scope === undefined) return callable;
    const permission = permissionOf(scope, caller);
    const isOff = permission === 'off';
    const toAsk = { grantId: caller.grantId, userId: caller.user.id, scope };
    // Of what an app may not see, such as tools of pages, the order of refusals would tell it.
    if (isOff && context.isBatch) throw notPermitted(ALONE);
    if (isOff) await this.screening.expectAllowed(input, caller);
    const read = async <T>(work: () => Promise<T> | T) => {
      try {
        return await work();
      } catch (error) {
        const refusal = isOff && (await this.approvals.refusalOf(toAsk));
        throw refusal ? notPermitted(unaskedSentence(refusal, caller, context)) : error;
      }
    };
    const subject = await read(() => callable.subject?.(input, caller));
    const isConsequential = callable.confirm === true || subject?.isConsequential === true;
    if (permission === 'allow' && !isConsequential) return callable;
    if (context.isBatch) throw notPermitted(ALONE);
    // 2. Only a call that could run is worth asking about.
    try {
      await read(() => callable.check?.(input, caller));
      await read(() => subject?.expectFit?.());
      if (!isOff) await this.screening.expectAllowed(input, caller);
    } catch (error) {
      // What is wrong may tell of a page.
      if (!context.signal.aborted) await context.expectAskable();
      throw error;
    }
    const callOf = ({ tab }: Approval): Callable['call'] => {
      const inTab = tab === null ? undefined : subject?.callIn?.(tab);
      return inTab ? async (sent, _caller, run) => inTab(sent, caller, run) : callable.call;
    };
    // 3. The request, or what was decided about this very call.
    const toApprove = {
      ...toAsk,
      method: callable.method,
      name: callable.name,
      title: subject?.title ?? callable.shown.title,
      page: subject?.page ?? null,
      input,
      needsPasskey: isConsequential,
      mayAllowAlways: !isConsequential,
    };
    const asked = await this.approvals.ask(toApprove, context.signal);
    if (asked.outcome === 'allowed') return { call: callable.call, limit: asked.limit };
    if (asked.outcome === 'approved') {
      const { approval, limit } = asked;
      return { call: callOf(approval), approval, limit };
    }
    if (!('approval' in asked)) throw notPermitted(unaskedSentence(asked.outcome, caller, context));
    const { outcome, approval } = asked;
    if (outcome === 'refused') throw notPermitted(refusedSentence(caller));
    // To an app that may not see what it asks for, such as tools of pages, the title would tell it.
    const title = isOff && callable.subject ? undefined : approval.title;
    const question = questionFor(approval, title, caller, context);
    if (question) return question;
    // 4. The decision.
    const found = await this.wait(approval, caller, context);
    const isYes = found.state === 'once' || found.state === 'always';
    const limit = isYes ? await this.approvals.limitOf(found) : undefined;
    const decided: Approval = isYes && !limit ? { ...found, state: 'expired' } : found;
    if (limit && (await this.approvals.spend(decided.id))) {
      const yes = decided.state === 'always' ? { always: decided } : { approval: decided };
      return { call: callOf(decided), limit, ...yes };
    }
    if (decided.state === 'open') throw notAnswered(approval, caller, context);
    throw notPermitted(endedSentence(decided, caller));
  }

  /** For a call that ends with a question to the client: the approval is good for the repeated call. */
  async giveBack({ id }: Approval): Promise<void> {
    await this.approvals.giveBack(id);
  }

  private async wait(approval: Approval, caller: McpCaller, context: ApprovalContext) {
    const { signal, slots, untimed, progress } = context;
    if (!slots.leave()) throw notAnswered(approval, caller, context);
    const startedAt = performance.now();
    const message = `Waiting for ${caller.user.displayName} to answer`;
    const tell = () =>
      progress(Math.round((performance.now() - startedAt) / 1000), undefined, message);
    const telling = setInterval(tell, PROGRESS_MS).unref();
    try {
      const decided = await untimed(() => this.approvals.wait(approval, MAX_WAIT_MS, signal));
      signal.throwIfAborted();
      if (!slots.enter()) throw new ToolError(TOO_MANY, { reason: 'too many at once' });
      return decided ?? { ...approval, state: 'expired' };
    } finally {
      clearInterval(telling);
    }
  }
}

const permissionOf = (scope: string, { scopes, ask }: McpCaller) =>
  ask.includes(scope) ? 'ask' : scopes.includes(scope) ? 'allow' : 'off';

const addressOf = ({ id }: Pick<Approval, 'id'>, { origin }: ApprovalContext) =>
  `${origin}/svc/account/requests/${id}`;

/** For a client that opens addresses for its user and has not done so for this request. */
function questionFor(
  approval: Approval,
  title: string | undefined,
  caller: McpCaller,
  context: ApprovalContext,
) {
  const { clientCapabilities, inputResponses } = context.reply;
  if (clientCapabilities?.elicitation?.url === undefined) return undefined;
  const answer = inputResponses[QUESTION] as { readonly action?: unknown } | undefined;
  if (answer?.action === 'decline' || answer?.action === 'cancel') {
    throw notAnswered(approval, caller, context);
  }
  if (answer) return undefined;
  const message = `${caller.app} asks ${title === undefined ? 'for your permission' : `to use “${title}”`}. Open the page to allow it or not.`;
  const question = elicitUrl({ message, url: addressOf(approval, context) });
  return new InputRequired({ [QUESTION]: question }, undefined);
}

/** For a request that has ended without allowing this call. */
function endedSentence({ state }: Approval, caller: McpCaller): string {
  const { displayName } = caller.user;
  switch (state) {
    case 'no':
      return refusedSentence(caller);
    case 'once':
      return `${displayName} allowed this once, and another call of the same kind has used that. Call again only if it has to be done once more.`;
    case 'always':
      return `${displayName} allowed this, and another call of the same kind has been made since. Call again only if it has to be done once more.`;
    default:
      return `This request to ${displayName} has ended without an answer, so nothing was done.`;
  }
}

const notPermitted = (sentence: string) => new ToolError(sentence, { reason: 'no permission' });

const notAnswered = (approval: Approval, { user }: McpCaller, context: ApprovalContext) =>
  new ToolError(
    `${user.displayName} has not answered yet. Ask them to open ${addressOf(approval, context)}, then make the same call again.`,
    { reason: 'no answer yet' },
  );

const refusedSentence = ({ user }: McpCaller) =>
  `${user.displayName} said no to this. Do not try it again unless they ask for it.`;

/** For a call whose person was not asked. */
function unaskedSentence(
  why: 'refused' | 'full' | 'ended' | 'not-given',
  caller: McpCaller,
  { origin }: ApprovalContext,
): string {
  const { user } = caller;
  switch (why) {
    case 'refused':
      return refusedSentence(caller);
    case 'full':
      return `${user.displayName} has not answered earlier requests yet. Wait for that, or ask them to open ${origin}/svc/account, then call again.`;
    case 'not-given':
      return `Not ${user.displayName} but their organization decides what this app may do, and does not allow this.`;
    case 'ended':
      return `The connection of this app to ${user.displayName} has ended or was paused, so nothing was done.`;
  }
}

const pausedSentence = ({ user, pausedBy }: McpCaller) =>
  pausedBy === 'person'
    ? `${user.displayName} has paused this app, so nothing was done. They can let it go on at their account page.`
    : 'An administrator of this service has paused this app, so nothing was done.';

const NO_PERSON =
  'This needs a yes of a person each time, and a machine client has none to ask; nothing was done.';
const ALONE = 'This needs a yes of the person first; send this call alone, not in a batch.';
const TOO_MANY =
  'This was not done yet: too many other calls of the account are under way. Make the same call again.';
