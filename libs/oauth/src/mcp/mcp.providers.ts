import { McpController } from './mcp.controller.js';
import { McpEndpointService } from './mcp-endpoint.service.js';
import { McpToolsService } from './tools/mcp-tools.service.js';
import { ToolCallsService } from './tools/tool-calls.service.js';

export const mcpControllers = [McpController];

/** For a module that imports DiscoveryModule and has the providers of the protected resource. */
export const mcpProviders = [McpEndpointService, McpToolsService, ToolCallsService];
