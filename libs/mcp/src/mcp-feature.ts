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

/** A target of a call: a tool or a prompt by its name, a resource by its uri. */
export interface Callable extends Pick<RoundOwner, 'method' | 'name'> {
  /** Its name in the audit trail and the log: ours or the application's, never chosen by a client. */
  readonly label: string;
  /** The one scope that a call needs. */
  readonly scope: string;
  /** Arguments that a request of 2026-07-28 repeats in headers. */
  readonly inHeaders?: readonly HeaderArgument[];
  readonly perform: (
    input: unknown,
    caller: McpCaller,
    run: ToolRun,
  ) => Promise<CallResult | InputRequired>;
  /** Returns an error sentence as the result, or throws it as a ProtocolError. */
  readonly refuse: (sentence: string) => CallResult;
}

/** One feature of the endpoint: tools, resources or prompts. */
export interface McpFeature {
  /** The method of a call, and the parameter that names its target. */
  readonly calledBy: { readonly method: Callable['method']; readonly parameter: 'name' | 'uri' };
  /** Undefined when the application does not have the feature, which is then not announced. */
  capabilities(era: McpEra): ServerCapabilities | undefined;
  /** The lists that clients can request, by method; each shows what the caller's scopes allow. */
  readonly lists: Readonly<Record<string, (caller: McpCaller) => Promise<object>>>;
  /** The existing targets among the names, regardless of the caller's scopes. */
  find(names: readonly string[], caller: McpCaller): Promise<readonly Callable[]>;
  /** The error for an unknown name. */
  notFound(name: string): ProtocolError;
}
