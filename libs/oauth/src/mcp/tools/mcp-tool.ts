import type { ToolAnnotations } from '@modelcontextprotocol/server';
import { DiscoveryService } from '@nestjs/core';
import type { McpCaller } from '../caller.js';
import type { InputRequired } from '../rounds/input-required.js';
import type { FromSchema } from './from-schema.js';
import type { ToolRun } from './tool-run.js';

/** A JSON Schema (2020-12 unless `$schema` says otherwise) whose root is an object. */
export type ObjectSchema = { readonly type: 'object'; readonly [keyword: string]: unknown };

/** What an MCP client learns of a tool, and the one scope that a call of it needs. */
export interface McpToolOptions<
  Input extends ObjectSchema = ObjectSchema,
  Output extends ObjectSchema = ObjectSchema,
> {
  /** Unique in the application: 1 to 128 of `A-Z a-z 0-9 _ - .`. */
  readonly name: string;
  /** Shown to people where a client lists tools. */
  readonly title: string;
  /** Told to the model: what the tool does, when to use it, and what it costs. */
  readonly description: string;
  /** A scope that the application has: without it the tool is neither listed nor called. */
  readonly scope: string;
  /** Arguments that do not fit never reach the method. */
  readonly inputSchema: Input;
  /** A result that does not fit never reaches the client. */
  readonly outputSchema?: Output;
  /** Hints of MCP for clients, such as `readOnlyHint`; nothing is enforced by them. */
  readonly annotations?: Readonly<ToolAnnotations>;
}

/**
 * What {@link McpTool} goes on: gets the checked arguments, and returns (or resolves to) an object,
 * which is the structured result, a string, which is text for the model, or ToolContent.
 */
export type McpToolMethod<Input = never, Output = unknown> = (
  input: Input,
  caller: McpCaller,
  run: ToolRun,
) => Output | Promise<Output>;

/** What a tool with an `outputSchema` returns. */
type Returned<Output> = string extends keyof Output
  ? unknown
  : | FromSchema<Output>
    | { readonly content: readonly object[]; readonly structuredContent: FromSchema<Output> }
    | InputRequired;

/** The mark itself, by which tools are found. */
export const ToolMark = DiscoveryService.createDecorator<McpToolOptions>();

/**
 * Makes a method of any provider, in any module of the application, a tool of the MCP endpoint. It does not
 * compile where the method takes other arguments than the input schema lets through, or returns what the
 * output schema does not.
 */
export const McpTool =
  <const Input extends ObjectSchema, const Output extends ObjectSchema = ObjectSchema>(
    options: McpToolOptions<Input, Output>,
  ) =>
  <T extends McpToolMethod<FromSchema<Input, never>, Returned<Output>>>(
    target: object,
    method: string,
    descriptor: TypedPropertyDescriptor<T>,
  ): void => {
    ToolMark(options)(target, method, descriptor);
  };
