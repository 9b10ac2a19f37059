import { BearerErrorFilter } from '../protected-resource/bearer-error.filter.js';
import { BearerGuard } from '../protected-resource/bearer.guard.js';
import { ProtectedResourceMetadataController } from '../protected-resource/protected-resource-metadata.controller.js';
import { McpController } from './mcp.controller.js';
import { McpEndpointService } from './mcp-endpoint.service.js';
import { McpToolsService } from './tools/mcp-tools.service.js';
import { ToolCallsService } from './tools/tool-calls.service.js';

/** For a module that imports DiscoveryModule and provides OAUTH_OPTIONS and AccessTokensService. */
export const resourceServerControllers = [ProtectedResourceMetadataController, McpController];

export const resourceServerProviders = [
  BearerErrorFilter,
  BearerGuard,
  McpEndpointService,
  McpToolsService,
  ToolCallsService,
];
