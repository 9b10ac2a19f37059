import { DiscoveryService } from '@nestjs/core';
import type { DecoratorOf, McpCaller, McpMethodOptions, ToolRun } from './call.js';

/** One argument of a prompt; its value is always a string. */
interface McpPromptArgument {
  /** The member that the method gets. */
  readonly name: string;
  /** Shown to people beside the field. */
  readonly title?: string;
  /** Tells people what to fill in. */
  readonly description: string;
  /** Whether the prompt is refused without it; false by default. */
  readonly required?: boolean;
  /** Values that a client may suggest to its user; other values are accepted as well. */
  readonly values?: readonly string[];
}

/** What an MCP client learns about a prompt, and the one scope that getting it needs. */
export interface McpPromptOptions extends McpMethodOptions {
  /** The arguments that people fill in, in the order in which a client asks for them. */
  readonly arguments?: readonly McpPromptArgument[];
}

/**
 * A method that {@link McpPrompt} decorates. It gets the arguments, all strings, with the required ones
 * present, and returns (or resolves to) a string, which becomes the user's message, a list of messages
 * `{ role, content }`, or `inputRequired(…)`.
 */
type McpPromptMethod = (args: never, caller: McpCaller, run: ToolRun) => unknown;

export const PromptDecorator = DiscoveryService.createDecorator<McpPromptOptions>();

/** Makes a method of any provider, in any module of the application, a prompt of the MCP endpoint. */
export const McpPrompt: (options: McpPromptOptions) => DecoratorOf<McpPromptMethod> =
  PromptDecorator;
