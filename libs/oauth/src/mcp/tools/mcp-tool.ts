import type { ToolAnnotations } from '@modelcontextprotocol/server';
import type { User } from '#libs/accounts';
import type { ToolRun } from './tool-run.js';

/** A JSON Schema (2020-12 unless `$schema` says otherwise) whose root is an object. */
export type ObjectSchema = { readonly type: 'object'; readonly [keyword: string]: unknown };

/** What an MCP client learns of a tool, and the one scope that a call of it needs. */
export interface McpToolOptions {
  /** Unique in the application: 1 to 128 of `A-Z a-z 0-9 _ - .`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly scope: string;
  /** Arguments that do not fit never reach the method. */
  readonly inputSchema: ObjectSchema;
  /** A result that does not fit never reaches the client. */
  readonly outputSchema?: ObjectSchema;
  readonly annotations?: Readonly<ToolAnnotations>;
}

/** On whose behalf, and by which app, a tool is called. */
export interface McpCaller {
  readonly user: User;
  /** The app's name, as its user saw it. */
  readonly app: string;
  readonly grantId: string;
  readonly scopes: readonly string[];
  /** The grant's properties. */
  readonly props: { readonly userId: string; readonly app: string };
}

/**
 * What {@link McpTool} goes on: gets the checked arguments, and returns (or resolves to) an object,
 * which is the structured result, a string, which is text for the model, or ToolContent.
 */
export type McpToolMethod = (input: never, caller: McpCaller, run: ToolRun) => unknown;
