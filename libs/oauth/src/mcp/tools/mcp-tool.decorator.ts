import { DiscoveryService } from '@nestjs/core';
import type { McpToolMethod, McpToolOptions } from './mcp-tool.js';

/** The mark itself, for whoever looks for tools. */
export const ToolMark = DiscoveryService.createDecorator<McpToolOptions>();

/** Makes a method of any provider, in any module of the application, a tool of the MCP endpoint. */
export const McpTool =
  (options: McpToolOptions) =>
  <T extends McpToolMethod>(
    target: object,
    method: string,
    descriptor: TypedPropertyDescriptor<T>,
  ): void => {
    ToolMark(options)(target, method, descriptor);
  };
