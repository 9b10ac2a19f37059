export { MAX_ACCOUNT_ENTRIES } from './account-list.js';
export {
  type AnyMcpCaller,
  Caller,
  type McpCaller,
  type McpMachine,
  type ToolCallers,
  type ToolRun,
} from './call.js';
export { RedisCancellations } from './cancellation.redis.js';
export { Cancellations } from './cancellation.js';
export { ToolError } from './errors.js';
export { McpModule } from './mcp.module.js';
export { McpPrompt, type McpPromptOptions } from './prompt.js';
export { createMessage, elicit, inputRequired, listRoots, type QuestionReply } from './question.js';
export {
  AccountResources,
  McpResource,
  type McpResourceOptions,
  type UriVariables,
} from './resource.js';
export { SubscriptionsService } from './subscription.service.js';
export {
  type AccountTool,
  AccountTools,
  type ContentBlock,
  contentProblem,
  type FromSchema,
  McpTool,
  type McpToolOptions,
  type ObjectSchema,
  type ToolContent,
  type ToolDefinition,
  ToolPolicy,
} from './tool.js';
