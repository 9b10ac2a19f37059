import { DiscoveryService } from '@nestjs/core';
import type { McpCaller } from '../caller.js';
import type { ToolRun } from '../tools/tool-run.js';

export interface McpPromptArgument {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly required?: boolean;
  /** What a client may suggest to its user; others are taken as well. */
  readonly values?: readonly string[];
}

/** What an MCP client learns of a prompt, and the one scope that getting it needs. */
export interface McpPromptOptions {
  /** Unique in the application: 1 to 128 of `A-Z a-z 0-9 _ - .`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly scope: string;
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
