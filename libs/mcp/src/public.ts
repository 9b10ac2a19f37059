// The package exports this as `gatehouse/mcp`; docs/guides/extending.md lists it. All else of this lib may change.
export { ANY_JSON } from './any-json.js';
export {
  type AnyMcpCaller,
  Caller,
  type CallSubject,
  type McpCaller,
  type McpMachine,
  type ToolCallers,
  type ToolRun,
} from './call.js';
export { ToolError } from './errors.js';
export {
  type OfferedKind,
  OfferPolicy,
  /** @deprecated The name of OfferPolicy when it was asked about tools alone. */
  OfferPolicy as ToolPolicy,
} from './offer-policy.js';
export { McpPrompt } from './prompt.js';
export { createMessage, elicit, elicitUrl, inputRequired, listRoots } from './question.js';
export {
  type AccountResource,
  AccountResources,
  McpResource,
  type McpResourceOptions,
  type UriVariables,
} from './resource.js';
export {
  type AccountTool,
  AccountTools,
  type FromSchema,
  McpTool,
  type ToolDefinition,
} from './tool.js';
