import { DiscoveryService } from '@nestjs/core';
import type { McpCaller } from '../caller.js';
import type { ToolRun } from '../tools/tool-run.js';

/** One argument of a prompt; its value is always a string. */
export interface McpPromptArgument {
  /** The member that the method gets. */
  readonly name: string;
  /** Shown to people beside the field. */
  readonly title?: string;
  /** Says to people what to fill in. */
  readonly description: string;
  /** Whether the prompt is refused without it; it is not by default. */
  readonly required?: boolean;
  /** What a client may suggest to its user; others are taken as well. */
  readonly values?: readonly string[];
}

/** What an MCP client learns of a prompt, and the one scope that getting it needs. */
export interface McpPromptOptions {
  /** Unique in the application: 1 to 128 of `A-Z a-z 0-9 _ - .`. */
  readonly name: string;
  /** Shown to people where a client lists prompts. */
  readonly title: string;
  /** Says to people what the prompt is for. */
  readonly description: string;
  /** A scope that the application has: without it the prompt is neither listed nor given. */
  readonly scope: string;
  /** What people fill in, in the order in which a client asks. */
  readonly arguments?: readonly McpPromptArgument[];
}

/**
 * What {@link McpPrompt} goes on: gets the arguments, all strings, those that are required there, and
 * returns (or resolves to) a string, which is what the user says, a list of messages `{ role, content }`,
 * or `inputRequired(…)`.
 */
export type McpPromptMethod = (args: never, caller: McpCaller, run: ToolRun) => unknown;

/** The mark itself, by which prompts are found. */
export const PromptMark = DiscoveryService.createDecorator<McpPromptOptions>();

/** Makes a method of any provider, in any module of the application, a prompt of the MCP endpoint. */
export const McpPrompt =
  (options: McpPromptOptions) =>
  <T extends McpPromptMethod>(
    target: object,
    method: string,
    descriptor: TypedPropertyDescriptor<T>,
  ): void => {
    PromptMark(options)(target, method, descriptor);
  };
