import type {
  CallToolResult,
  GetPromptResult,
  ProtocolError,
  ReadResourceResult,
  ServerCapabilities,
} from '@modelcontextprotocol/server';
import type { McpCaller } from './caller.js';
import type { McpEra } from './mcp-exchange.js';
import type { InputRequired } from './rounds/input-required.js';
import type { RoundOwner } from './rounds/request-state.js';
import type { HeaderArgument } from './tools/header-arguments.js';
import type { ToolRun } from './tools/tool-run.js';

export type CallResult = CallToolResult | GetPromptResult | ReadResourceResult;

/** What a request can call: a tool or a prompt by its name, a resource by its uri. */
export interface Callable extends Pick<RoundOwner, 'method' | 'name'> {
  /** What the audit trail and the log call it: in our words, or those of the application. */
  readonly label: string;
  /** The one scope that a call of it needs. */
  readonly scope: string;
  /** Arguments that a request of 2026-07-28 repeats in headers. */
  readonly inHeaders?: readonly HeaderArgument[];
  readonly perform: (
    input: unknown,
    caller: McpCaller,
    run: ToolRun,
  ) => Promise<CallResult | InputRequired>;
  /** Says a sentence in the place of a result, or throws it as a ProtocolError. */
  readonly refuse: (sentence: string) => CallResult;
}

/** One kind of what the endpoint offers: tools, resources or prompts. */
export interface McpFeature {
  /** The method of a call, and the parameter that names what it calls. */
  readonly calledBy: { readonly method: Callable['method']; readonly parameter: 'name' | 'uri' };
  /** Undefined where the application has none of it, which is then not announced. */
  capabilities(era: McpEra): ServerCapabilities | undefined;
  /** The lists that clients can ask for, by method: what the caller's scopes allow. */
  readonly lists: Readonly<Record<string, (caller: McpCaller) => Promise<object>>>;
  /** Those of the names that there is something for, whatever the caller's scopes. */
  find(names: readonly string[], caller: McpCaller): Promise<readonly Callable[]>;
  /** Tells that a name is not one of those. */
  notFound(name: string): ProtocolError;
}
