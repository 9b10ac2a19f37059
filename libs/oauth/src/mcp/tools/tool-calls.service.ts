import { randomUUID } from 'node:crypto';
import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { type SecurityEvent, SecurityEventsService } from '#libs/accounts';
import { OAUTH_OPTIONS, type OAuthOptions } from '../../oauth.module-definition.js';
import type { McpCaller } from './mcp-tool.js';
import { ToolError } from './tool.error.js';
import type { RegisteredTool } from './tool-registry.js';
import type { ToolRun } from './tool-run.js';
import { refusal, toolResult } from './tool-result.js';

/** Where a call came from, beyond its caller. */
export type CallOrigin = Pick<SecurityEvent, 'clientId' | 'origin'>;

/** `refused` is what a tool, or the check of its arguments, foresaw; `failed` what nobody did. */
interface Attempt {
  readonly outcome: 'done' | 'refused' | 'failed';
  readonly result: CallToolResult;
}

/**
 * Calls tools; whatever happens in one, the model gets a sentence and the log gets the rest. Each call is
 * told, without its arguments and its result.
 */
@Injectable()
export class ToolCallsService {
  private readonly logger = new Logger(ToolCallsService.name);

  constructor(
    @Inject(OAUTH_OPTIONS) private readonly options: OAuthOptions,
    private readonly events: SecurityEventsService,
  ) {}

  /** `tool` is one that the caller may call. @throws ProtocolError when there is none */
  async call(
    tool: RegisteredTool | undefined,
    input: unknown,
    caller: McpCaller,
    from: CallOrigin,
  ): Promise<CallToolResult> {
    if (!tool) throw noSuchTool();
    const { measureCharges = free } = this.options;
    const startedAt = performance.now();
    const { result: attempt, credits } = await measureCharges(() =>
      this.attempt(tool, input, caller),
    );
    const durationMs = Math.round(performance.now() - startedAt);
    this.events.emit({
      ...from,
      type: 'tool-called',
      userId: caller.user.id,
      grantId: caller.grantId,
      detail: `${tool.options.name}: ${attempt.outcome}`,
      spent: { credits, durationMs },
    });
    return attempt.result;
  }

  private async attempt(tool: RegisteredTool, input: unknown, caller: McpCaller): Promise<Attempt> {
    try {
      return { outcome: 'done', result: await run(tool, input, caller) };
    } catch (error) {
      if (error instanceof ToolError) return { outcome: 'refused', result: refusal(error.message) };
      return { outcome: 'failed', result: refusal(this.unexpected(tool, error)) };
    }
  }

  private unexpected({ options }: RegisteredTool, error: unknown) {
    const id = randomUUID();
    this.logger.error(
      `request ${id}: tool ${options.name}: ${String(error)}`,
      error instanceof Error ? error.stack : undefined,
    );
    return `Something went wrong in this tool; it may work when tried again (request ${id}).`;
  }
}

/** Until calls can be cancelled. */
const NOBODY_LISTENS: ToolRun = { signal: new AbortController().signal, progress: () => undefined };

const free = async <T>(work: () => Promise<T>) => ({ result: await work(), credits: 0 });

const noSuchTool = () =>
  new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    'there is no such tool; tools/list names them',
  );

async function run(tool: RegisteredTool, input: unknown, caller: McpCaller) {
  const misfit = tool.checkInput(input);
  if (misfit !== undefined) throw new ToolError(`These arguments do not fit: ${misfit}.`);
  const output = await tool.call(input, caller, NOBODY_LISTENS);
  const problem = tool.checkOutput(output);
  if (problem !== undefined) throw new Error(`the result breaks its outputSchema: ${problem}`);
  return toolResult(output);
}
