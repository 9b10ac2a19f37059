import { AccountCalls } from './account-calls.js';
import { Cancellations } from './cancellations.js';
import { InProcessCancellations } from './cancellations.in-process.js';
import { CancelledCallsService } from './cancelled-calls.service.js';
import { CallsService } from './calls.service.js';
import { JsonRpcErrorFilter } from './json-rpc-error.filter.js';
import { MarkedMethodsService } from './marked-methods.service.js';
import { McpController } from './mcp.controller.js';
import { McpEndpointService } from './mcp-endpoint.service.js';
import { McpFeaturesService } from './mcp-features.service.js';
import { McpServerService } from './mcp-server.service.js';
import { McpPromptsService } from './prompts/mcp-prompts.service.js';
import { AccountResources, NoAccountResources } from './resources/account-resources.js';
import { McpResourcesService } from './resources/mcp-resources.service.js';
import { RoundsService } from './rounds/rounds.service.js';
import { SubscriptionsService } from './subscriptions.service.js';
import { AccountTools, NoAccountTools } from './tools/account-tools.js';
import { McpToolsService } from './tools/mcp-tools.service.js';
import { OpenToolPolicy, ToolPolicy } from './tools/tool-policy.js';

export const mcpControllers = [McpController];

/** For a module that imports DiscoveryModule and AccountTurnsModule, and has the providers of the protected resource. */
export const mcpProviders = [
  AccountCalls,
  { provide: AccountResources, useClass: NoAccountResources },
  { provide: AccountTools, useClass: NoAccountTools },
  CallsService,
  CancelledCallsService,
  { provide: Cancellations, useClass: InProcessCancellations },
  JsonRpcErrorFilter,
  MarkedMethodsService,
  McpEndpointService,
  McpFeaturesService,
  McpPromptsService,
  McpResourcesService,
  McpServerService,
  McpToolsService,
  RoundsService,
  SubscriptionsService,
  { provide: ToolPolicy, useClass: OpenToolPolicy },
];
