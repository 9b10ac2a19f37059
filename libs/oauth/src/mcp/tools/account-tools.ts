import type { Tool } from '@modelcontextprotocol/server';
import type { McpCaller } from '../caller.js';
import type { ToolRun } from './tool-run.js';

/** Of one account, in a list; a client that is shown more uses none of them well. */
export const MAX_ACCOUNT_TOOLS = 256;

type Awaitable<T> = T | Promise<T>;

/** How `tools/list` shows a tool. */
export type ToolDefinition = Tool;

/** A tool that one account has, and others may not. */
export interface AccountTool {
  readonly name: string;
  /** The one scope that a call of it needs. */
  readonly scope: string;
  /** What is wrong with the arguments, or undefined. */
  readonly checkInput: (input: unknown) => Awaitable<string | undefined>;
  /** As McpToolMethod. */
  readonly call: (input: unknown, caller: McpCaller, run: ToolRun) => unknown;
}

/** Tools that come and go with an account, such as those of its open pages, beside those of the application. */
export abstract class AccountTools {
  static readonly portOf = 'oauth';

  /** What all their names begin with, and no name of a tool of the application does. */
  abstract readonly prefix: string;

  /**
   * What `tools/list` shows after the tools of the application: none whose scope the caller lacks. What does
   * not begin with the prefix is left out.
   */
  abstract list(caller: McpCaller): Promise<readonly ToolDefinition[]>;

  /** Asked before a call is allowed, for names with the prefix alone. */
  abstract find(name: string, caller: McpCaller): Promise<AccountTool | undefined>;

  /** Calls `listener` when the account's list may have changed, on whatever replica; until the function it returns is called. */
  abstract onChanged(userId: string, listener: () => void): () => void;
}

/** For an application whose tools are the same for every account. */
export class NoAccountTools extends AccountTools {
  readonly prefix = 'page_';

  async list() {
    return [];
  }

  async find() {
    return undefined;
  }

  onChanged() {
    return () => undefined;
  }
}
