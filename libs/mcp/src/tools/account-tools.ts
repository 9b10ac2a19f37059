import type { Tool } from '@modelcontextprotocol/server';
import type { McpCaller } from '../caller.js';
import type { ToolRun } from './tool-run.js';

/** Tools of one account in a list; models choose badly among more. */
export const MAX_ACCOUNT_TOOLS = 256;

type Awaitable<T> = T | Promise<T>;

/** How `tools/list` shows a tool. */
export type ToolDefinition = Tool;

/** A tool of one account. */
export interface AccountTool {
  readonly name: string;
  /** The one scope that a call needs. */
  readonly scope: string;
  /** What is wrong with the arguments, or undefined. */
  readonly checkInput: (input: unknown) => Awaitable<string | undefined>;
  /** As McpToolMethod. */
  readonly call: (input: unknown, caller: McpCaller, run: ToolRun) => unknown;
}

/** Tools that differ by account and over time, such as those of its open pages, beside those of the application. */
export abstract class AccountTools {
  static readonly portOf = 'mcp';

  /** The prefix of all their names, which no tool of the application may have. */
  abstract readonly prefix: string;

  /**
   * The entries of `tools/list` after the tools of the application; must not include tools whose scope the
   * caller lacks. Names without the prefix are left out.
   */
  abstract list(caller: McpCaller): Promise<readonly ToolDefinition[]>;

  /** Called before a call is authorized, only for names with the prefix. */
  abstract find(name: string, caller: McpCaller): Promise<AccountTool | undefined>;

  /** Calls `listener` when the account's list may have changed, on any replica, until the returned function runs. */
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
