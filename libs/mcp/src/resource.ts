import type { Annotations } from '@modelcontextprotocol/server';
import { DiscoveryService } from '@nestjs/core';
import type { DecoratorOf, McpCaller, McpMethodOptions, ToolRun } from './call.js';

/** What an MCP client learns about a resource, and the one scope that reading it needs. */
export interface McpResourceOptions extends McpMethodOptions {
  /** The uri of one resource or, with variables, of many (RFC 6570, simple expansion): `tabs://{id}`. */
  readonly uri: string;
  /** The type of what the method returns. */
  readonly mimeType: string;
  /** MCP hints for clients: audience, priority, last change. */
  readonly annotations?: Readonly<Annotations>;
}

/** The decoded variables of a uri; empty for a uri without variables. */
export type UriVariables = Readonly<Record<string, string>>;

/**
 * A method that {@link McpResource} decorates. It gets the uri's variables and returns (or resolves to)
 * text, bytes, `inputRequired(…)`, or undefined when there is no such resource.
 */
type McpResourceMethod = (variables: never, caller: McpCaller, run: ToolRun) => unknown;

export const ResourceDecorator = DiscoveryService.createDecorator<McpResourceOptions>();

/** Makes a method of any provider, in any module of the application, a resource of the MCP endpoint. */
export const McpResource: (options: McpResourceOptions) => DecoratorOf<McpResourceMethod> =
  ResourceDecorator;

/** Longer uris of read requests match no template. */
const MAX_URI_LENGTH = 2_048;
const VARIABLE = /^[A-Za-z][A-Za-z0-9_]{0,31}$/;
/** Characters that the value of a variable contains only percent-encoded. */
const DELIMITERS = '/?#';

export interface UriTemplate {
  readonly variables: readonly string[];
  /** Equal for two templates that differ only in the names of their variables. */
  readonly shape: string;
  /** The decoded variables of a uri that matches the template; undefined for any other uri. */
  readonly match: (uri: string) => UriVariables | undefined;
}

/**
 * Parses a uri, or a template of RFC 6570 with simple expansion only (§3.2.2). A value ends at the first character of
 * the text that follows it, so a uri matches in one way, without backtracking. @throws Error
 */
export function parseUriTemplate(template: string): UriTemplate {
  // Texts at even indices, names of variables at odd ones.
  const parts = template.split(/\{([^{}]*)\}/);
  const texts = parts.filter((_part, at) => at % 2 === 0);
  const variables = parts.filter((_part, at) => at % 2 === 1);
  const misnamed = variables.find((name) => !VARIABLE.test(name));
  if (misnamed !== undefined) throw new Error(`{${misnamed}} is no variable`);
  if (new Set(variables).size < variables.length) throw new Error('a variable is there twice');
  if (texts.slice(1, -1).includes('')) throw new Error('a variable follows right after another');
  if (!URL.canParse(texts.join('x'))) throw new Error('it is no URI');
  const pattern = new RegExp(`^${parts.map((part, at) => patternOf(part, at, parts)).join('')}$`);
  return {
    variables,
    shape: texts.join('{}'),
    match: (uri) => {
      // Postgres keeps no NUL, and no half of a character.
      const isText = uri.isWellFormed() && !uri.includes('\0');
      const found = isText && uri.length <= MAX_URI_LENGTH ? pattern.exec(uri) : null;
      return found ? decoded(variables, found.slice(1)) : undefined;
    },
  };
}

function patternOf(part: string, at: number, parts: readonly string[]): string {
  if (at % 2 === 0) return escaped(part);
  const [next = ''] = parts[at + 1] ?? '';
  return `([^${escaped(DELIMITERS + next)}]+)`;
}

const escaped = (text: string) => text.replaceAll(/\W/g, String.raw`\$&`);

function decoded(names: readonly string[], values: readonly string[]): UriVariables | undefined {
  try {
    return Object.fromEntries(
      names.map((name, at) => [name, decodeURIComponent(values[at] ?? '')]),
    );
  } catch {
    return undefined;
  }
}

/** How `resources/list` shows a resource of an account; the template provides the other members. */
export interface AccountResource {
  /** A uri that matches the template. */
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
}

/** Resources that differ by account and over time, such as its open pages, beside those of the application. */
export abstract class AccountResources {
  static readonly portOf = 'mcp';

  /** What they have in common, with at least one variable in the uri; undefined without account resources. */
  abstract readonly template: McpResourceOptions | undefined;

  /** The entries of `resources/list` after those of the application; called only if the caller has the scope. */
  abstract list(caller: McpCaller): Promise<readonly AccountResource[]>;

  /** Text or bytes; undefined when the account has no such resource. Called only if the caller has the scope. */
  abstract read(
    variables: UriVariables,
    caller: McpCaller,
    run: ToolRun,
  ): Promise<string | Uint8Array | undefined>;

  /** Calls `listener` when the account's list may have changed, on any replica, until the returned function runs. */
  abstract onChanged(userId: string, listener: () => void): () => void;
}
