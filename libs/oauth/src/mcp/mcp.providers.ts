import { AccountCalls } from './account-calls.js';
import { AccountSlotGuard } from './account-slot.guard.js';
import { AccountSlots } from './account-slots.js';
import { AccountTurns } from './account-turns.js';
import { JsonRpcErrorFilter } from './json-rpc-error.filter.js';
import { McpController } from './mcp.controller.js';
import { McpEndpointService } from './mcp-endpoint.service.js';
import { AccountTools, NoAccountTools } from './tools/account-tools.js';
import { McpToolsService } from './tools/mcp-tools.service.js';
import { ToolCallsService } from './tools/tool-calls.service.js';

export const mcpControllers = [McpController];

/** For a module that imports DiscoveryModule and has the providers of the protected resource. */
export const mcpProviders = [
  AccountCalls,
  AccountSlotGuard,
  AccountSlots,
  AccountTurns,
  { provide: AccountTools, useClass: NoAccountTools },
  JsonRpcErrorFilter,
  McpEndpointService,
  McpToolsService,
  ToolCallsService,
];
