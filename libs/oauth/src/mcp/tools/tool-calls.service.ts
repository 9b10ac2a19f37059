import { randomUUID } from 'node:crypto';
import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { type SecurityEvent, SecurityEventsService } from '#libs/accounts';
import { OAUTH_OPTIONS, type OAuthOptions } from '../../oauth.module-definition.js';
import { FIRST_ROUND } from '../rounds/round.js';
import type { McpCaller } from './mcp-tool.js';
import { ToolError } from './tool.error.js';
import type { CallableTool } from './tool-registry.js';
import { refusal, structuredOf, toolResult } from './tool-result.js';
import type { ToolRun } from './tool-run.js';

/** What nobody on the way waits for longer, us included: a connection without a byte is cut after 60 s. */
const MAX_CALL_MS = 50_000;
const TIME_IS_UP = `This took longer than ${MAX_CALL_MS / 1_000} seconds and was stopped; ask for less at once.`;

/** Why a call was stopped that somebody still waits for. */
class TimeIsUpError extends Error {
  override name = 'TimeoutError';
}

/** Where a call came from, beyond its caller. */
export type CallOrigin = Pick<SecurityEvent, 'clientId' | 'origin'>;

/** What goes with a call, beside its tool and its arguments. */
interface CallContext {
  readonly caller: McpCaller;
  readonly from: CallOrigin;
  /** Aborted by whoever cancels the call, and by its time. */
  readonly stop: AbortController;
  readonly progress: ToolRun['progress'];
  /** Hears of the work, which may go on after its call was answered; it never rejects. */
  readonly onWork: (work: Promise<unknown>) => unknown;
}

/**
 * `refused` is what a tool, the check of its arguments, or its time foresaw; `failed` what nobody did;
 * `cancelled` what ended when nobody waited for it any more.
 */
interface Attempt {
  readonly outcome: 'done' | 'refused' | 'failed' | 'cancelled';
  readonly result: CallToolResult;
}

/**
 * Calls tools; whatever happens in one, the model gets a sentence and the log gets the rest. Each call is
 * told when its tool has ended, without its arguments and its result.
 */
@Injectable()
export class ToolCallsService {
  private readonly logger = new Logger(ToolCallsService.name);

  constructor(
    @Inject(OAUTH_OPTIONS) private readonly options: OAuthOptions,
    private readonly events: SecurityEventsService,
  ) {}

  /**
   * `tool` is one that the caller may call. Resolves when it has ended, or when it is stopped, whether or
   * not it heeds that. @throws ProtocolError when there is none
   */
  async call(
    tool: CallableTool | undefined,
    input: unknown,
    context: CallContext,
  ): Promise<CallToolResult> {
    if (!tool) throw noSuchTool();
    const { stop, onWork } = context;
    const work = this.work(tool, input, context);
    const timer = setTimeout(() => stop.abort(new TimeIsUpError(TIME_IS_UP)), MAX_CALL_MS).unref();
    onWork(work.finally(() => clearTimeout(timer)));
    return Promise.race([work, stopped(stop.signal)]);
  }

  private async work(tool: CallableTool, input: unknown, context: CallContext) {
    const { measureCharges = free } = this.options;
    const { caller, from } = context;
    const startedAt = performance.now();
    const { result: attempt, credits } = await measureCharges(() =>
      this.attempt(tool, input, context),
    );
    const durationMs = Math.round(performance.now() - startedAt);
    this.events.emit({
      ...from,
      type: 'tool-called',
      userId: caller.user.id,
      grantId: caller.grantId,
      detail: `${tool.label}: ${attempt.outcome}`,
      spent: { credits, durationMs },
    });
    return attempt.result;
  }

  private async attempt(
    tool: CallableTool,
    input: unknown,
    { caller, stop: { signal }, progress }: CallContext,
  ): Promise<Attempt> {
    try {
      const result = await run(tool, input, caller, { ...FIRST_ROUND, signal, progress });
      return signal.aborted ? givenUp(signal) : { outcome: 'done', result };
    } catch (error) {
      if (signal.aborted) return givenUp(signal);
      if (error instanceof ToolError) return { outcome: 'refused', result: refusal(error.message) };
      return { outcome: 'failed', result: refusal(this.unexpected(tool, error)) };
    }
  }

  private unexpected({ name }: CallableTool, error: unknown) {
    const id = randomUUID();
    this.logger.error(
      `request ${id}: tool ${name}: ${String(error)}`,
      error instanceof Error ? error.stack : undefined,
    );
    return `Something went wrong in this tool; it may work when tried again (request ${id}).`;
  }
}

const free = async <T>(work: () => Promise<T>) => ({ result: await work(), credits: 0 });

const noSuchTool = () =>
  new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    'there is no such tool; tools/list names them',
  );

/** What is told of a call that was stopped: to a client that still waits, since only its time was up. */
const givenUp = ({ reason }: AbortSignal): Attempt => ({
  outcome: reason instanceof TimeIsUpError ? 'refused' : 'cancelled',
  result: refusal(TIME_IS_UP),
});

const stopped = (signal: AbortSignal) =>
  new Promise<CallToolResult>((resolve) => {
    signal.addEventListener('abort', () => resolve(givenUp(signal).result), { once: true });
  });

async function run(tool: CallableTool, input: unknown, caller: McpCaller, toolRun: ToolRun) {
  const misfit = tool.checkInput(input);
  if (misfit !== undefined) throw new ToolError(`These arguments do not fit: ${misfit}.`);
  const output = await tool.call(input, caller, toolRun);
  const problem = tool.checkOutput(structuredOf(output));
  if (problem !== undefined) throw new Error(`the result breaks its outputSchema: ${problem}`);
  return toolResult(output);
}
