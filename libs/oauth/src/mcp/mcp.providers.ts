import { AccountCalls } from './account-calls.js';
import { Cancellations } from './cancellations.js';
import { InProcessCancellations } from './cancellations.in-process.js';
import { CancelledCallsService } from './cancelled-calls.service.js';
import { CallablesService } from './calls/callables.service.js';
import { CallsService } from './calls/calls.service.js';
import { CompletionOfferService } from './completions/completion-offer.service.js';
import { MarkedMethodsService } from './discovery/marked-methods.service.js';
import { JsonRpcErrorFilter } from './json-rpc-error.filter.js';
import { McpController } from './mcp.controller.js';
import { McpEndpointService } from './mcp-endpoint.service.js';
import { McpServersService } from './mcp-servers.service.js';
import { McpPromptsService } from './prompts/mcp-prompts.service.js';
import { PromptOfferService } from './prompts/prompt-offer.service.js';
import { AccountResources, NoAccountResources } from './resources/account-resources.js';
import { McpResourcesService } from './resources/mcp-resources.service.js';
import { ResourceOfferService } from './resources/resource-offer.service.js';
import { RoundsService } from './rounds/rounds.service.js';
import { SubscriptionsService } from './subscriptions.service.js';
import { AccountTools, NoAccountTools } from './tools/account-tools.js';
import { McpToolsService } from './tools/mcp-tools.service.js';
import { ToolOfferService } from './tools/tool-offer.service.js';
import { OpenToolPolicy, ToolPolicy } from './tools/tool-policy.js';

export const mcpControllers = [McpController];

/** For a module that imports DiscoveryModule and AccountTurnsModule, and has the providers of the protected resource. */
export const mcpProviders = [
  AccountCalls,
  { provide: AccountResources, useClass: NoAccountResources },
  { provide: AccountTools, useClass: NoAccountTools },
  CallablesService,
  CallsService,
  CancelledCallsService,
  { provide: Cancellations, useClass: InProcessCancellations },
  CompletionOfferService,
  JsonRpcErrorFilter,
  MarkedMethodsService,
  McpEndpointService,
  McpPromptsService,
  McpResourcesService,
  McpServersService,
  McpToolsService,
  PromptOfferService,
  ResourceOfferService,
  RoundsService,
  SubscriptionsService,
  ToolOfferService,
  { provide: ToolPolicy, useClass: OpenToolPolicy },
];
