export { ClientStore, type ClientRecord } from './client/client.store.js';
export {
  GrantsDirectoryService,
  type GrantRecord,
} from './administration/grants-directory.service.js';
export {
  CLIENT_AUTH_CHOICES,
  ClientCredentialsService,
  type NewClient,
} from './client/client-credentials.service.js';
export { AuthorizationPages, BuiltInAuthorizationPages } from './authorize/authorization-pages.js';
export { isDocumentUrl, isPossibleDocumentUrl } from './client/client.js';
export { ClientBlockStore } from './client/client-block.store.js';
export { ClientPolicy, type PolicyClient } from './client/client-policy.js';
export { normalRedirectHost, redirectHostOf } from './client/redirect-uri.js';
export {
  ClientDocumentCache,
  InProcessClientDocumentCache,
} from './client-document/client-document-cache.js';
export { RedisClientDocumentCache } from './client-document/client-document-cache.redis.js';
export {
  CountedRegistrationBudget,
  RegistrationBudget,
} from './registration/registration-budget.js';
export { oauthMigrations } from './migrations/oauth-migrations.js';
export { OAuthAdministrationModule } from './oauth-administration.module.js';
export { OAuthModule } from './oauth.module.js';
export { Caller, type McpCaller } from './mcp/caller.js';
export { Cancellations } from './mcp/cancellations.js';
export { RedisCancellations } from './mcp/cancellations.redis.js';
export { SubscriptionsService } from './mcp/subscriptions.service.js';
export { McpPrompt, type McpPromptOptions } from './mcp/prompts/mcp-prompt.js';
export { type AccountResource, AccountResources } from './mcp/resources/account-resources.js';
export {
  McpResource,
  type McpResourceOptions,
  type UriVariables,
} from './mcp/resources/mcp-resource.js';
export {
  createMessage,
  elicit,
  elicitUrl,
  inputRequired,
  listRoots,
} from './mcp/rounds/input-required.js';
export type { Round } from './mcp/rounds/round.js';
export type { FromSchema } from './mcp/tools/from-schema.js';
export { McpTool, type McpToolOptions, type ObjectSchema } from './mcp/tools/mcp-tool.js';
export {
  type AccountTool,
  AccountTools,
  MAX_ACCOUNT_TOOLS,
  type ToolDefinition,
} from './mcp/tools/account-tools.js';
export { type ContentBlock, contentProblem, type ToolContent } from './mcp/tools/tool-content.js';
export { ToolPolicy } from './mcp/tools/tool-policy.js';
export type { ToolRun } from './mcp/tools/tool-run.js';
export { ToolError } from './mcp/tools/tool.error.js';
export { BearerErrorFilter, BearerGuard, RequireScope } from './protected-resource/bearer.guard.js';
export type { Scope } from './scope.js';
