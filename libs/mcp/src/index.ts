export { Caller, type McpCaller } from './caller.js';
export { Cancellations } from './cancellations.js';
export { RedisCancellations } from './cancellations.redis.js';
export { SubscriptionsService } from './subscriptions.service.js';
export { McpPrompt, type McpPromptOptions } from './prompts/mcp-prompt.js';
export { type AccountResource, AccountResources } from './resources/account-resources.js';
export {
  McpResource,
  type McpResourceOptions,
  type UriVariables,
} from './resources/mcp-resource.js';
export {
  createMessage,
  elicit,
  elicitUrl,
  inputRequired,
  listRoots,
} from './rounds/input-required.js';
export type { Round } from './rounds/round.js';
export type { FromSchema } from './tools/from-schema.js';
export { McpTool, type McpToolOptions, type ObjectSchema } from './tools/mcp-tool.js';
export {
  type AccountTool,
  AccountTools,
  MAX_ACCOUNT_TOOLS,
  type ToolDefinition,
} from './tools/account-tools.js';
export { type ContentBlock, contentProblem, type ToolContent } from './tools/tool-content.js';
export { ToolPolicy } from './tools/tool-policy.js';
export type { ToolRun } from './tools/tool-run.js';
export { ToolError } from './tools/tool.error.js';
export { McpModule } from './mcp.module.js';
