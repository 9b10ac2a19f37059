import { DiscoveryService } from '@nestjs/core';
import type { McpResourceMethod, McpResourceOptions } from './mcp-resource.js';

/** The mark itself, for whoever looks for resources. */
export const ResourceMark = DiscoveryService.createDecorator<McpResourceOptions>();

/** Makes a method of any provider, in any module of the application, a resource of the MCP endpoint. */
export const McpResource =
  (options: McpResourceOptions) =>
  <T extends McpResourceMethod>(
    target: object,
    method: string,
    descriptor: TypedPropertyDescriptor<T>,
  ): void => {
    ResourceMark(options)(target, method, descriptor);
  };
