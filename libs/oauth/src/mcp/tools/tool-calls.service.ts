import { randomUUID } from 'node:crypto';
import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { Injectable, Logger } from '@nestjs/common';
import type { McpCaller } from './mcp-tool.js';
import { ToolError } from './tool.error.js';
import type { RegisteredTool } from './tool-registry.js';
import { refusal, toolResult } from './tool-result.js';

/** Calls tools; whatever happens in one, the model gets a sentence and the log gets the rest. */
@Injectable()
export class ToolCallsService {
  private readonly logger = new Logger(ToolCallsService.name);

  /** `tool` is one that the caller may call. @throws ProtocolError when there is none */
  async call(
    tool: RegisteredTool | undefined,
    input: unknown,
    caller: McpCaller,
  ): Promise<CallToolResult> {
    if (!tool) throw noSuchTool();
    try {
      return await run(tool, input, caller);
    } catch (error) {
      return refusal(error instanceof ToolError ? error.message : this.unexpected(tool, error));
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

const noSuchTool = () =>
  new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    'there is no such tool; tools/list names them',
  );

async function run(tool: RegisteredTool, input: unknown, caller: McpCaller) {
  const misfit = tool.checkInput(input);
  if (misfit !== undefined) throw new ToolError(`These arguments do not fit: ${misfit}.`);
  const output = await tool.call(input, caller);
  const problem = tool.checkOutput(output);
  if (problem !== undefined) throw new Error(`the result breaks its outputSchema: ${problem}`);
  return toolResult(output);
}
