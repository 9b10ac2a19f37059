export { ClientsDirectory, type ClientRecord } from './administration/clients-directory.sql.js';
export {
  GrantsDirectoryService,
  type GrantRecord,
} from './administration/grants-directory.service.js';
export {
  CLIENT_AUTH_CHOICES,
  type IssuedClient,
  KeptClientsService,
  type NewClient,
} from './administration/kept-clients.service.js';
export {
  AuthorizationPages,
  BuiltInAuthorizationPages,
} from './authorization-server/authorization-pages.js';
export { isDocumentUrl, isPossibleDocumentUrl } from './clients/client-id-url.js';
export { ClientBlocks } from './clients/blocks/client-blocks.sql.js';
export type { ClientMetadata } from './clients/client-metadata.js';
export { ClientPolicy, OpenClientPolicy, type PolicyClient } from './clients/client-policy.js';
export { normalRedirectHost, redirectHostOf } from './clients/redirect-uri.js';
export { ClientDocumentCache } from './clients/documents/client-document-cache.js';
export { InProcessClientDocumentCache } from './clients/documents/client-document-cache.in-process.js';
export { RedisClientDocumentCache } from './clients/documents/client-document-cache.redis.js';
export { DocumentFetch } from './clients/documents/document-fetch.adapter.js';
export {
  CountedRegistrationBudget,
  RegistrationBudget,
} from './clients/registrations/registration-budget.js';
export { oauthMigrations } from './migrations/oauth-migrations.js';
export { OAuthAdministrationModule } from './oauth-administration.module.js';
export { OAuthModule } from './oauth.module.js';
export { Caller } from './mcp/caller.decorator.js';
export { Cancellations } from './mcp/cancellations.js';
export { RedisCancellations } from './mcp/cancellations.redis.js';
export { SubscriptionsService } from './mcp/subscriptions.service.js';
export type {
  ClientDocumentPolicy,
  McpServerDescription,
  OAuthOptions,
} from './oauth.module-definition.js';
export { McpPrompt } from './mcp/prompts/mcp-prompt.decorator.js';
export type {
  McpPromptArgument,
  McpPromptMethod,
  McpPromptOptions,
} from './mcp/prompts/mcp-prompt.js';
export {
  type AccountResource,
  AccountResources,
  NoAccountResources,
} from './mcp/resources/account-resources.js';
export { McpResource } from './mcp/resources/mcp-resource.decorator.js';
export type {
  McpResourceMethod,
  McpResourceOptions,
  UriVariables,
} from './mcp/resources/mcp-resource.js';
export {
  createMessage,
  elicit,
  elicitUrl,
  inputRequired,
  type InputRequests,
  listRoots,
} from './mcp/rounds/input-required.js';
export type { Round } from './mcp/rounds/round.js';
export { McpTool } from './mcp/tools/mcp-tool.decorator.js';
export type {
  McpCaller,
  McpToolMethod,
  McpToolOptions,
  ObjectSchema,
} from './mcp/tools/mcp-tool.js';
export {
  type AccountTool,
  AccountTools,
  MAX_ACCOUNT_TOOLS,
  type ToolDefinition,
} from './mcp/tools/account-tools.js';
export {
  type ContentBlock,
  contentProblem,
  isToolContent,
  type ToolContent,
} from './mcp/tools/tool-content.js';
export { OpenToolPolicy, ToolPolicy } from './mcp/tools/tool-policy.js';
export type { ToolRun } from './mcp/tools/tool-run.js';
export { ToolError } from './mcp/tools/tool.error.js';
export { BearerErrorFilter } from './protected-resource/bearer-error.filter.js';
export { BearerGuard } from './protected-resource/bearer.guard.js';
export { RequireScope } from './protected-resource/require-scope.decorator.js';
export type { Scope } from './scopes/scope.js';
