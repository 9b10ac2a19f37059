import { DiscoveryService } from '@nestjs/core';
import type { McpPromptMethod, McpPromptOptions } from './mcp-prompt.js';

/** The mark itself, for whoever looks for prompts. */
export const PromptMark = DiscoveryService.createDecorator<McpPromptOptions>();

/** Makes a method of any provider, in any module of the application, a prompt of the MCP endpoint. */
export const McpPrompt =
  (options: McpPromptOptions) =>
  <T extends McpPromptMethod>(
    target: object,
    method: string,
    descriptor: TypedPropertyDescriptor<T>,
  ): void => {
    PromptMark(options)(target, method, descriptor);
  };
