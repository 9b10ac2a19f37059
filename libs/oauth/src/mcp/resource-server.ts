import { BearerErrorFilter } from './bearer-error.filter.js';
import { BearerGuard } from './bearer.guard.js';
import { McpController } from './mcp.controller.js';
import { McpEndpointService } from './mcp-endpoint.service.js';
import { McpToolsService } from './mcp-tools.service.js';
import { ProtectedResourceMetadataController } from './protected-resource-metadata.controller.js';
import { ToolCallsService } from './tool-calls.service.js';

/** For a module that imports DiscoveryModule and provides OAUTH_OPTIONS and AccessTokensService. */
export const resourceServerControllers = [ProtectedResourceMetadataController, McpController];

export const resourceServerProviders = [
  BearerErrorFilter,
  BearerGuard,
  McpEndpointService,
  McpToolsService,
  ToolCallsService,
];
