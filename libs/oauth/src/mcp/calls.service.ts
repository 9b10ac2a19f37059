import { randomUUID } from 'node:crypto';
import { type InputRequiredResult, ProtocolError } from '@modelcontextprotocol/server';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { type SecurityEvent, SecurityEventsService } from '#libs/accounts';
import { OAUTH_OPTIONS, type OAuthOptions } from '../oauth.module-definition.js';
import { InputRequired } from './rounds/input-required.js';
import type { PresentedRound } from './rounds/round.js';
import { RoundsService } from './rounds/rounds.service.js';
import { ToolError } from './tools/tool.error.js';
import type { ToolRun } from './tools/tool-run.js';
import { recordCall } from './call-span.js';
import type { McpCaller } from './caller.js';
import type { Callable, CallResult } from './mcp-feature.js';
import { refuseByError } from './protocol-refusals.js';

/** Proxies, and this service, cut a connection without a byte after 60 s. */
const MAX_CALL_MS = 50_000;
const TIME_IS_UP = `This took longer than ${MAX_CALL_MS / 1_000} seconds and was stopped; ask for less at once.`;

/** Why a call is stopped whose client still waits for the answer. */
class TimeIsUpError extends Error {
  override name = 'TimeoutError';
}

/** Where a call came from, beyond its caller. */
export type CallOrigin = Pick<SecurityEvent, 'clientId' | 'origin'>;

/** What goes with a call, beside what it calls. */
export interface CallContext {
  readonly caller: McpCaller;
  readonly from: CallOrigin;
  readonly round: PresentedRound;
  /** Aborted when the call is cancelled, and when its time is up. */
  readonly stop: AbortController;
  readonly progress: ToolRun['progress'];
  /** Hears of the work, which may go on after its call was answered; it never rejects. */
  readonly onWork: (work: Promise<unknown>) => unknown;
}

/**
 * `asked`: it has a question for the client. `refused`: for a reason that its code foresaw, or its time was up.
 * `failed`: by an error that no code foresaw. `cancelled`: it ended when no client waited for it any more.
 */
interface Attempt {
  readonly outcome: 'done' | 'asked' | 'refused' | 'failed' | 'cancelled';
  readonly answer: () => CallResult | InputRequiredResult;
}

/**
 * Does what clients call for; whatever happens on the way, the model gets a sentence and the log gets the
 * rest. Each call is told when its work has ended, without its arguments and its result.
 */
@Injectable()
export class CallsService {
  private readonly logger = new Logger(CallsService.name);

  constructor(
    @Inject(OAUTH_OPTIONS) private readonly options: OAuthOptions,
    private readonly events: SecurityEventsService,
    private readonly rounds: RoundsService,
  ) {}

  /**
   * What its caller may call. Resolves when it has ended, or when it is stopped, whether or not it heeds
   * that. @throws ProtocolError for a state of another call, and what the callable refuses with
   */
  async call(
    callable: Callable,
    input: unknown,
    context: CallContext,
  ): Promise<CallResult | InputRequiredResult> {
    const { caller, round, stop, onWork } = context;
    const { method, name } = callable;
    const owner = { grantId: caller.grantId, method, name, input };
    const begun = this.rounds.begin(round, owner);
    const perform = async (): Promise<Attempt> => {
      const run = { ...begun, signal: stop.signal, progress: context.progress };
      const output = await callable.perform(input, caller, run);
      if (!(output instanceof InputRequired)) return { outcome: 'done', answer: () => output };
      const question = this.rounds.ask(output, round, owner);
      return { outcome: 'asked', answer: () => question };
    };
    const work = recordCall(callable, () => this.work(callable, context, perform));
    const timer = setTimeout(() => stop.abort(new TimeIsUpError(TIME_IS_UP)), MAX_CALL_MS).unref();
    onWork(work.finally(() => clearTimeout(timer)));
    const { answer } = await Promise.race([work, stopped(callable, stop.signal)]);
    return answer();
  }

  /** Answers what is no call and has no event. @throws ProtocolError without a detail for an unforeseen error */
  async answer<T>(method: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      return refuseByError(this.unexpected(method, error));
    }
  }

  private async work(
    callable: Callable,
    { caller, from, stop: { signal } }: CallContext,
    perform: () => Promise<Attempt>,
  ) {
    const { measureCharges = free } = this.options;
    const startedAt = performance.now();
    const { result: attempt, credits } = await measureCharges(() =>
      this.attempt(callable, signal, perform),
    );
    const durationMs = Math.round(performance.now() - startedAt);
    const called = { tool: callable.label, outcome: attempt.outcome };
    this.events.emit({
      ...from,
      type: 'tool-called',
      userId: caller.user.id,
      grantId: caller.grantId,
      detail: `${called.tool}: ${called.outcome}`,
      facts: called,
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
      return signal.aborted ? givenUp(callable, signal) : attempt;
    } catch (error) {
      if (signal.aborted) return givenUp(callable, signal);
      if (error instanceof ProtocolError) return { outcome: 'refused', answer: rethrow(error) };
      if (error instanceof ToolError) {
        return { outcome: 'refused', answer: () => refuse(error.message) };
      }
      const sentence = this.unexpected(callable.label, error);
      return { outcome: 'failed', answer: () => refuse(sentence) };
    }
  }

  private unexpected(what: string, error: unknown) {
    const id = randomUUID();
    this.logger.error(
      `request ${id}: ${what}: ${String(error)}`,
      error instanceof Error ? error.stack : undefined,
    );
    return `Something went wrong here; it may work when tried again (request ${id}).`;
  }
}

const free = async <T>(work: () => Promise<T>) => ({ result: await work(), credits: 0 });

const rethrow = (error: Error) => () => {
  throw error;
};

/** What is told of a call that was stopped: to a client that still waits, since only its time was up. */
const givenUp = ({ refuse }: Callable, { reason }: AbortSignal): Attempt => ({
  outcome: reason instanceof TimeIsUpError ? 'refused' : 'cancelled',
  answer: () => refuse(TIME_IS_UP),
});

const stopped = (callable: Callable, signal: AbortSignal) =>
  new Promise<Attempt>((resolve) => {
    signal.addEventListener('abort', () => resolve(givenUp(callable, signal)), { once: true });
  });
