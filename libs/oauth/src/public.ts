// The package exports this as `gatehouse/oauth`; docs/guides/extending.md lists it. All else of this lib may change.
export { type AccountResource, AccountResources } from './mcp/resources/account-resources.js';
export { type AccountTool, AccountTools, type ToolDefinition } from './mcp/tools/account-tools.js';
export { AuthorizationPages, BuiltInAuthorizationPages } from './authorize/authorization-pages.js';
export { BearerGuard, RequireScope } from './protected-resource/bearer.guard.js';
export { Caller, type McpCaller } from './mcp/caller.js';
export { ClientDocumentCache } from './client-document/client-document-cache.js';
export { ClientPolicy, type PolicyClient } from './client/client-policy.js';
export {
  createMessage,
  elicit,
  elicitUrl,
  inputRequired,
  listRoots,
} from './mcp/rounds/input-required.js';
export type { FromSchema } from './mcp/tools/from-schema.js';
export { McpPrompt } from './mcp/prompts/mcp-prompt.js';
export {
  McpResource,
  type McpResourceOptions,
  type UriVariables,
} from './mcp/resources/mcp-resource.js';
export { McpTool } from './mcp/tools/mcp-tool.js';
export { RegistrationBudget } from './registration/registration-budget.js';
export type { Scope } from './scope.js';
export { ToolError } from './mcp/tools/tool.error.js';
export { ToolPolicy } from './mcp/tools/tool-policy.js';
export type { ToolRun } from './mcp/tools/tool-run.js';
