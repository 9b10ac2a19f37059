import type { McpCaller } from '../caller.js';

/**
 * Decides which tools a caller has, beyond the scopes. Called for every list of tools, with the names that the
 * caller's scopes allow, and for every call, with the called names; tools of an account's pages are included. A
 * tool that the policy leaves out is not listed, and a call of it is answered as if it did not exist. A promise
 * that rejects fails closed: the request ends with an internal error.
 */
export abstract class ToolPolicy {
  static readonly portOf = 'mcp';

  /** The subset of `names` that this caller has. */
  abstract offered(names: readonly string[], caller: McpCaller): Promise<readonly string[]>;
}

/** Every caller has every tool. */
export class OpenToolPolicy extends ToolPolicy {
  async offered(names: readonly string[]): Promise<readonly string[]> {
    return names;
  }
}
