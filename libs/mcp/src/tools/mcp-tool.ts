import type { ToolAnnotations } from '@modelcontextprotocol/server';
import { DiscoveryService } from '@nestjs/core';
import type { McpCaller } from '../caller.js';
import type { InputRequired } from '../rounds/input-required.js';
import type { FromSchema } from './from-schema.js';
import type { ToolRun } from './tool-run.js';

/** A JSON Schema (2020-12 unless `$schema` says otherwise) whose root is an object. */
export type ObjectSchema = { readonly type: 'object'; readonly [keyword: string]: unknown };

/** What an MCP client learns about a tool, and the one scope that a call needs. */
export interface McpToolOptions<
  Input extends ObjectSchema = ObjectSchema,
  Output extends ObjectSchema = ObjectSchema,
> {
  /** Unique in the application: 1 to 128 of `A-Z a-z 0-9 _ - .`. */
  readonly name: string;
  /** Shown to people where a client lists tools. */
  readonly title: string;
  /** Tells the model what the tool does, when to use it, and what it costs. */
  readonly description: string;
  /** A scope of the application; a caller without it can neither list nor call the tool. */
  readonly scope: string;
  /** The method gets only arguments that match. */
  readonly inputSchema: Input;
  /** The client gets only results that match. */
  readonly outputSchema?: Output;
  /** MCP hints for clients, such as `readOnlyHint`; the service does not enforce them. */
  readonly annotations?: Readonly<ToolAnnotations>;
}

/**
 * A method that {@link McpTool} decorates. It gets the validated arguments and returns (or resolves to) an
 * object, which is the structured result, a string, which is text for the model, or ToolContent.
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

/** The decorator by which tools are discovered. */
export const ToolMark = DiscoveryService.createDecorator<McpToolOptions>();

/**
 * Makes a method of any provider, in any module of the application, a tool of the MCP endpoint. It compiles
 * only if the method accepts the arguments that the input schema allows and returns what the output schema
 * allows.
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
