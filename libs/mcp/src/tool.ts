import {
  type CallToolResult,
  type ContentBlock,
  specTypeSchemas,
  type Tool,
  type ToolAnnotations,
} from '@modelcontextprotocol/server';
import { DiscoveryService } from '@nestjs/core';
import { isJsonObject } from '#libs/platform';
import type {
  Callable,
  DecoratorOf,
  McpCaller,
  McpCallerOf,
  McpMethodOptions,
  ToolCallers,
  ToolRun,
} from './call.js';
import type { InputRequired } from './question.js';

/**
 * The type of the values that a JSON Schema accepts, by `type`, `enum`, `const`, `properties`, `required`, `items`
 * and `anyOf`. `Unsaid` stands for what they leave open, and for parts of a schema declared without `as const`.
 */
export type FromSchema<Schema, Unsaid = unknown> = Schema extends { readonly const: infer Value }
  ? Value
  : Schema extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : Schema extends { readonly anyOf: readonly (infer Branch)[] }
      ? FromSchema<Branch, Unsaid>
      : Schema extends { readonly type: readonly (infer Type)[] }
        ? OfType<Type, Schema, Unsaid>
        : Schema extends { readonly type: infer Type }
          ? OfType<Type, Schema, Unsaid>
          : Unsaid;

type OfType<Type, Schema, Unsaid> = Type extends 'object'
  ? ObjectFrom<Schema, Unsaid>
  : Type extends 'array'
    ? readonly (Schema extends { readonly items: infer Items }
        ? FromSchema<Items, Unsaid>
        : Unsaid)[]
    : Type extends keyof Simple
      ? Simple[Type]
      : Unsaid;

interface Simple {
  readonly string: string;
  readonly number: number;
  readonly integer: number;
  readonly boolean: boolean;
  readonly null: null;
}

type ObjectFrom<Schema, Unsaid> = Schema extends { readonly properties: infer Properties }
  ? {
      readonly [
        Name in keyof Properties as Name extends RequiredIn<Schema> ? Name : never
      ]: FromSchema<Properties[Name], Unsaid>;
    } & {
      readonly [
        Name in keyof Properties as Name extends RequiredIn<Schema> ? never : Name
      ]?: FromSchema<Properties[Name], Unsaid>;
    }
  : string extends keyof Schema
    ? Unsaid
    : object;

type RequiredIn<Schema> = Schema extends { readonly required: readonly (infer Name)[] }
  ? Name
  : never;

/** A JSON Schema (2020-12 unless `$schema` says otherwise) whose root is an object. */
export type ObjectSchema = { readonly type: 'object'; readonly [keyword: string]: unknown };

/** What an MCP client learns about a tool, and the one scope that a call needs. */
export interface McpToolOptions<
  Input extends ObjectSchema = ObjectSchema,
  Output extends ObjectSchema = ObjectSchema,
  Callers extends ToolCallers = 'people',
> extends McpMethodOptions {
  /** `people` by default; others do not see it. For machines the method gets an McpMachine, for `both` either. */
  readonly callers?: Callers;
  /** The method gets only arguments that match. */
  readonly inputSchema: Input;
  /** The client gets only results that match. */
  readonly outputSchema?: Output;
  /**
   * Whether each call needs a yes of its person, confirmed with a passkey, whatever the app may do otherwise; a machine
   * client cannot call it.
   */
  readonly confirm?: boolean;
  /** MCP hints for clients, such as `readOnlyHint`; the service does not enforce them. */
  readonly annotations?: Readonly<ToolAnnotations>;
}

/**
 * A method that {@link McpTool} decorates. It gets the validated arguments and returns (or resolves to) an
 * object, which is the structured result, a string, which is text for the model, or ToolContent.
 */
type McpToolMethod<Input = never, Output = unknown, Caller = McpCaller> = (
  input: Input,
  caller: Caller,
  run: ToolRun,
) => Output | Promise<Output>;

type Returned<Output> = string extends keyof Output
  ? unknown
  : | FromSchema<Output>
    | { readonly content: readonly object[]; readonly structuredContent: FromSchema<Output> }
    | InputRequired;

export type AnyToolOptions = McpToolOptions<ObjectSchema, ObjectSchema, ToolCallers>;

export const ToolDecorator = DiscoveryService.createDecorator<AnyToolOptions>();

/**
 * Makes a method of any provider, in any module, a tool of the MCP endpoint. It compiles only if the method accepts
 * what the input schema allows and returns what the output schema allows.
 */
export const McpTool: <
  const Input extends ObjectSchema,
  const Output extends ObjectSchema = ObjectSchema,
  Callers extends ToolCallers = 'people',
>(
  options: McpToolOptions<Input, Output, Callers>,
) => DecoratorOf<McpToolMethod<FromSchema<Input, never>, Returned<Output>, McpCallerOf<Callers>>> =
  ToolDecorator;

type Awaitable<T> = T | Promise<T>;

/** How `tools/list` shows a tool. */
export type ToolDefinition = Tool;

export interface AccountTool {
  /** As its person knows it: calls are listed by it. */
  readonly name: string;
  /** For people; by default the name. */
  readonly title?: string | undefined;
  /** The one scope that a call needs. */
  readonly scope: string;
  /** What a call does, as far as its person has to know it before; undefined members where that cannot be told. */
  readonly subject?: Callable['subject'];
  /** What is wrong with the arguments, or undefined. */
  readonly checkInput: (input: unknown) => Awaitable<string | undefined>;
  readonly call: (input: unknown, caller: McpCaller, run: ToolRun) => unknown;
}

/** Tools that differ by account and over time, such as those of its open pages, beside those of the application. */
export abstract class AccountTools {
  static readonly portOf = 'mcp';

  /** The prefix of all their names, which no tool of the application may have. */
  abstract readonly prefix: string;

  /** Listed after the application's tools, without those whose scope the caller lacks; names need the prefix. */
  abstract list(caller: McpCaller): Promise<readonly ToolDefinition[]>;

  /** Called before a call is authorized, only for names with the prefix. */
  abstract find(name: string, caller: McpCaller): Promise<AccountTool | undefined>;

  /** For a tool of the application that acts on what the account offers: what a call does; see AccountTool. */
  subjectOf?(tool: string): Callable['subject'];

  /** Whether the list may have something for the caller: no other is told of changes. Without it, it may. */
  isShownTo?(caller: McpCaller): boolean;

  /** Calls `listener` when the account's list may have changed, on any replica, until the returned function runs. */
  abstract onChanged(userId: string, listener: () => void): () => void;
}

export type { ContentBlock };

/** A tool result in blocks: text, images, audio, links to resources, resources. */
export interface ToolContent {
  readonly content: readonly ContentBlock[];
  /** The structured result for programs, beside the blocks. */
  readonly structuredContent?: Readonly<Record<string, unknown>>;
}

/** Whether a value has the members of {@link ToolContent} and no others; does not check the blocks. */
export function isToolContent(value: unknown): value is ToolContent {
  if (!isJsonObject(value)) return false;
  const { content, structuredContent, ...others } = value;
  if (!Array.isArray(content) || Object.keys(others).length > 0) return false;
  return structuredContent === undefined || isJsonObject(structuredContent);
}

/** Names the first block that is no content block of MCP; undefined when all are. */
export function contentProblem(blocks: readonly unknown[]): string | undefined {
  const schema = specTypeSchemas.ContentBlock['~standard'];
  const wrong = blocks.findIndex((block) => 'issues' in schema.validate(block));
  return wrong === -1 ? undefined : `content[${wrong}] is no content block of MCP`;
}

/** In characters: some models take no longer description, and then no tool of the list. */
export const MAX_DESCRIPTION_LENGTH = 1_024;

export const shortDescription = (description: string): string =>
  description.length > MAX_DESCRIPTION_LENGTH
    ? `${description.slice(0, MAX_DESCRIPTION_LENGTH - 1).toWellFormed()}…`
    : description;

const MAX_REFUSAL_LENGTH = 1_000;

/** A lone surrogate as JSON.stringify writes it, or an escaped backslash, after which the same is plain text. */
const HALF_CHARACTER = /\\(?:\\|ud[89a-f][0-9a-f]{2})/g;

const text = (words: string) => [{ type: 'text' as const, text: words.toWellFormed() }];

/**
 * Makes a string text, keeps blocks, and makes any other object the structured result and, for clients without that,
 * JSON text. Replaces lone surrogates, for which strict clients reject the whole answer. @throws Error for a block
 * that is not of MCP
 */
export function toolResult(output: unknown): CallToolResult {
  if (typeof output === 'string') return { content: text(output) };
  const json = wellFormedJson(output ?? {});
  const value = JSON.parse(json) as Record<string, unknown>;
  if (!isToolContent(value)) return { content: text(json), structuredContent: value };
  const problem = contentProblem(value.content);
  if (problem !== undefined) throw new Error(problem);
  return value as CallToolResult;
}

export const structuredOf = (output: unknown): unknown =>
  isToolContent(output) ? output.structuredContent : output;

const wellFormedJson = (value: unknown) =>
  JSON.stringify(value).replaceAll(HALF_CHARACTER, (found) =>
    found === '\\\\' ? found : '\ufffd',
  );

/** An error result that the model reads, so that it can correct its call. */
export const errorResult = (sentence: string): CallToolResult => ({
  content: text(
    sentence.length > MAX_REFUSAL_LENGTH ? `${sentence.slice(0, MAX_REFUSAL_LENGTH)}…` : sentence,
  ),
  isError: true,
});
