// The package exports this as `gatehouse/mcp`; docs/guides/extending.md lists it. All else of this lib may change.
export { type AccountResource, AccountResources } from './resources/account-resources.js';
export { type AccountTool, AccountTools, type ToolDefinition } from './tools/account-tools.js';
export { Caller, type McpCaller } from './caller.js';
export {
  createMessage,
  elicit,
  elicitUrl,
  inputRequired,
  listRoots,
} from './rounds/input-required.js';
export type { FromSchema } from './tools/from-schema.js';
export { McpPrompt } from './prompts/mcp-prompt.js';
export {
  McpResource,
  type McpResourceOptions,
  type UriVariables,
} from './resources/mcp-resource.js';
export { McpTool } from './tools/mcp-tool.js';
export { ToolError } from './tools/tool.error.js';
export { ToolPolicy } from './tools/tool-policy.js';
export type { ToolRun } from './tools/tool-run.js';
