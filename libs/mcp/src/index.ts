export * from './public.js';
export { MAX_ACCOUNT_ENTRIES } from './account-list.js';
export { CallScreening } from './call-approval.service.js';
export { RedisCancellations } from './cancellation.redis.js';
export { Cancellations } from './cancellation.js';
export { badArguments, type CallRefusalReason } from './errors.js';
export { listedSchema } from './model-schema.js';
export { McpModule } from './mcp.module.js';
export { type McpPromptOptions } from './prompt.js';
export { type QuestionReply } from './question.js';
export { SubscriptionsService } from './subscription.service.js';
export {
  type ContentBlock,
  contentProblem,
  MAX_DESCRIPTION_LENGTH,
  type McpToolOptions,
  type ObjectSchema,
  type ToolContent,
} from './tool.js';
